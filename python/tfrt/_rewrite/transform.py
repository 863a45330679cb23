"""Makes calls of `runtime` of the control flow in one function's syntax tree."""

import ast
import copy

from .jumps import PREFIX, Jumps
from .names import bound_names, contains, outside_names, walk_scope
from .protocol import RewriteError

# Functions of Python that take rows of an iterator that they are given.
_ITERATING = {"dict", "enumerate", "filter", "iter", "list", "map", "max", "min", "next", "set", "sorted", "sum",
              "tuple", "zip"}

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

# What rewritten code calls the module `runtime`.
RUNTIME = PREFIX


def _load(name):
    return ast.Name(name, ast.Load())


def _runtime(function, *arguments):
    return ast.Call(ast.Attribute(_load(RUNTIME), function, ast.Load()), list(arguments), [])


def _lambda(expression, *parameters):
    return ast.Lambda(_parameters(*parameters), expression)


def _parameters(*names):
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


def _tuple(items):
    return ast.Tuple(list(items), ast.Load())


def _texts(names):
    return _tuple(ast.Constant(name) for name in names)


def _is_plain(node):
    """Whether an expression may be computed twice: names, attributes, and elements at names and constants."""
    if isinstance(node, ast.Subscript):
        return _is_plain(node.value) and isinstance(node.slice, (ast.Name, ast.Constant))
    return isinstance(node, ast.Name) or isinstance(node, ast.Attribute) and _is_plain(node.value)


def _loaded(node):
    """The expression, to be read."""
    made = copy.deepcopy(node)
    for inner in ast.walk(made):
        if hasattr(inner, "ctx"):
            inner.ctx = ast.Load()
    return made


def _note_tests(body):
    """Notes the `and` and `or` of which only the truth counts, and not the value."""
    def note(node):
        if isinstance(node, ast.BoolOp):
            node.is_test = True
            for value in node.values:
                note(value)
        elif isinstance(node, ast.IfExp):
            note(node.body)
            note(node.orelse)

    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
                note(node.test)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                note(node.operand)
            elif isinstance(node, ast.comprehension):
                for each in node.ifs:
                    note(each)


class Transformer(ast.NodeTransformer):
    """Of one function and those in it. `rewrite_function` is the way in."""

    def __init__(self, file):
        self.file = file
        self.jumps = Jumps(file)
        self.functions = []  # the names that the functions we are in bind, the innermost last
        self.outside = []    # those of them that are global or nonlocal
        self.globals = []    # and those that are global
        self.inner_names = set()
        self.before = []     # definitions that the statement needs before it
        self.num_inner = 0   # lambdas and comprehensions that we are in
        self.rests = {}      # of an IfWithRest's name, the names that its rest binds
        self.receivers = []  # the first parameters of the functions we are in
        self.variables = []  # names of the functions that give their variables

    def error(self, node, message):
        raise RewriteError((self.file, node.lineno), message)

    def place(self, node):
        return _tuple([ast.Constant(self.file), ast.Constant(node.lineno)])

    # --- Functions ---

    def rewrite_function(self, node):
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id.startswith(PREFIX):
                self.error(inner, f"names that begin with {PREFIX} are those of rewritten code")
            # Of comprehensions and lambdas, which are no functions of ours.
            if isinstance(inner, ast.arg):
                self.inner_names.add(inner.arg)
            elif isinstance(inner, ast.comprehension):
                self.inner_names.update(name.id for name in ast.walk(inner.target) if isinstance(name, ast.Name))
        return self.function(node)

    def function(self, node):
        if isinstance(node, ast.AsyncFunctionDef):
            return node  # a coroutine is no traced code; what it would do with tensors raises where it does
        if contains(node.body, (ast.Yield, ast.YieldFrom)):
            return node  # so is a generator
        parameters = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        parameters += [a.arg for a in (node.args.vararg, node.args.kwarg) if a]
        outside = outside_names(node.body)
        self.functions.append((set(bound_names(node.body)) | set(parameters)) - outside)
        self.outside.append(outside)
        self.globals.append(outside_names(node.body, ast.Global))
        self.variables.append(self.jumps.fresh("variables"))
        self.receivers.append(parameters[0] if parameters else None)
        mine = self.objects_of(node)
        body = self.jumps.lower_returns(self.jumps.lower_loops(node.body))
        _note_tests(body)
        bound = sorted(set(bound_names(body)) - outside - set(parameters))
        self.functions[-1].update(bound)
        node.body = self.block(body)
        # Never run. The variables are those of this function, though only functions in it assign them from now on; and
        # the name of the runtime is free in it, which says that it has been rewritten.
        names = [ast.Assign([ast.Name(name, ast.Store()) for name in bound], ast.Constant(None))] if bound else []
        head = ast.If(ast.Constant(False), [ast.Expr(_load(RUNTIME)), *names], [])
        for inner in ast.walk(head):
            ast.copy_location(inner, node)
        at = 0 if ast.get_docstring(node, clean=False) is None else 1
        node.body[at:at] = [head, self.variables_function(node, mine)]
        self.functions.pop()
        self.outside.pop()
        self.globals.pop()
        self.variables.pop()
        self.receivers.pop()
        return node

    def objects_of(self, node):
        """The variables whose objects must not change in branches, and whether each is the function's own.

        These are its own variables, without the functions among them, and those of functions around it that it uses. An
        object from elsewhere, a log say, is told of what takes place while the function is traced.
        """
        defined = {inner.name for inner in walk_scope(node.body) if isinstance(inner, _DEFINITIONS)}
        used = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)} - self.globals[-1]
        around = set().union(*self.functions[:-1]) & used
        mine = {name: True for name in sorted(self.functions[-1] - defined) if not name.startswith(PREFIX)}
        return mine | {name: False for name in sorted(around - self.functions[-1]) if not name.startswith(PREFIX)}

    def variables_function(self, node, names):
        rows = _tuple(_tuple([ast.Constant(name), _lambda(_load(name)), ast.Constant(is_own)])
                      for name, is_own in names.items())
        made = ast.FunctionDef(self.variables[-1], _parameters(), [ast.Return(rows)], [], None)
        for inner in ast.walk(made):
            ast.copy_location(inner, node)
        return made

    visit_FunctionDef = function
    visit_AsyncFunctionDef = function

    def visit_ClassDef(self, node):
        return node  # methods are rewritten when they are called

    def block(self, statements):
        result = []
        for statement in statements:
            outer, self.before = self.before, []
            new = self.visit(statement)
            new = [*self.before, *(new if isinstance(new, list) else [new])]
            self.before = outer
            for item in new:
                for inner in ast.walk(item):
                    if "lineno" in inner._attributes and not hasattr(inner, "lineno"):
                        ast.copy_location(inner, statement)
                result.append(item)
        return result

    # --- State ---

    def split(self, nodes):
        """The names that the nodes bind: of this function, and of outside."""
        names = self.bound(nodes)
        own = [name for name in names if name in self.functions[-1] or name.startswith(PREFIX)]
        return own, [name for name in names if name in self.outside[-1]]

    def bound(self, nodes):
        """The names that the nodes bind, also by calls of functions of what follows an `if`."""
        names = set(bound_names(nodes))
        for node in walk_scope(nodes):
            if isinstance(node, ast.Name):
                names.update(self.rests.get(node.id, ()))
        return sorted(names)

    def state_functions(self, names):
        """The definitions of `get` and `set`, and the names of these functions."""
        get, put = self.jumps.fresh("get"), self.jumps.fresh("set")
        values = [ast.Call(_load(RUNTIME + "_value"), [_lambda(_load(name)), ast.Constant(name)], []) for name in names]
        for value in values:
            value.func = ast.Attribute(_load(RUNTIME), "value_of", ast.Load())
        getter = ast.FunctionDef(get, _parameters(), [ast.Return(_tuple(values))], [], None)
        body = [ast.Pass()]
        if names:
            target = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
            body = [ast.Nonlocal(list(names)), ast.Assign([target], _load(PREFIX + "new"))]
        setter = ast.FunctionDef(put, _parameters(PREFIX + "new"), body, [], None)
        return [getter, setter], _load(get), _load(put)

    def body_function(self, what, body, names, outside, parameters=()):
        name = self.jumps.fresh(what)
        head = []
        if names:
            head.append(ast.Nonlocal(list(names)))
        # As the function declares them: the names are those of its module or enclosing functions.
        for kind, is_global in ((ast.Global, True), (ast.Nonlocal, False)):
            if declared := [name for name in outside if (name in self.globals[-1]) == is_global]:
                head.append(kind(declared))
        return ast.FunctionDef(name, _parameters(*parameters), head + (body or [ast.Pass()]), [], None), _load(name)

    def later(self, node):
        """The expression as a function, which is called if its value is needed."""
        if not contains([node], ast.NamedExpr):
            return _lambda(self.visit(node))
        if self.num_inner:
            self.error(node, "a := that is not always reached cannot be rewritten here; assign to the variable before")
        # It binds variables of the function, as a lambda cannot.
        names, outside = self.split([node])
        made, name = self.body_function("later", [ast.Return(self.visit(node))], names, outside)
        self.before.append(made)
        return name

    def inner_scope(self, node):
        self.num_inner += 1
        self.generic_visit(node)
        self.num_inner -= 1
        return node

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = inner_scope

    def captured(self, node):
        """The expression visited, as one that is iterated over: what comes from outside of the function is looked
        at."""
        root = node
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        text = ast.unparse(node)
        new = self.visit(node)
        if not isinstance(root, ast.Name) or root.id.startswith(PREFIX):
            return new
        if root is node and (root.id in self.inner_names or any(root.id in names for names in self.functions)):
            return new
        return ast.copy_location(_runtime("captured", new, ast.Constant(text), self.place(node)), node)

    # --- Statements ---

    def visit_If(self, node):
        if getattr(node, "keeps_return", False):
            node.test = _runtime("python_test", self.visit(node.test), self.place(node))
            node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            return node
        rest = getattr(node, "rest", [])
        if rest:
            self.rests[node.name] = self.bound(rest)
        names, outside = self.split([*node.body, *node.orelse, *rest])
        test = self.visit(node.test)
        body, orelse = self.block(node.body), self.block(node.orelse)
        state, get, put = self.state_functions(names)
        then_def, then_name = self.body_function("then", body, names, outside)
        else_def, else_name = self.body_function("else", orelse, names, outside)
        arguments = (test, then_name, else_name, get, put, _texts(names), _texts(outside), _load(self.variables[-1]),
                     self.place(node))
        if not getattr(node, "returns", False):
            return [*state, then_def, else_def, ast.Expr(_runtime("if_statement", *arguments))]
        if rest:
            rest_def, _ = self.body_function("rest", self.block(rest), names, outside)
            rest_def.name = node.name
            state.append(rest_def)
        return [*state, then_def, else_def, ast.Return(_runtime("if_return", *arguments, ast.Constant(bool(rest))))]

    visit_IfWithRest = visit_If

    def visit_While(self, node):
        names, outside = self.split(node.body)
        extra = getattr(node, "extra_test", None)
        test = node.test if extra is None else ast.BoolOp(ast.And(), [extra, node.test], is_test=True)
        for inner in ast.walk(test):
            if not hasattr(inner, "lineno"):
                ast.copy_location(inner, node)
        test = self.visit(test)
        body = self.block(node.body)
        state, get, put = self.state_functions(names)
        test_def, test_name = self.body_function("test", [ast.Return(test)], [], [])
        body_def, body_name = self.body_function("body", body, names, outside)
        call = _runtime("while_statement", test_name, body_name, get, put, _texts(names), _texts(outside),
                        _load(self.variables[-1]), self.place(node))
        return [*state, test_def, body_def, ast.Expr(call)]

    def visit_For(self, node):
        names, outside = self.split([node])
        item = PREFIX + "item"
        target = ast.copy_location(ast.Assign([node.target], _load(item)), node)
        iterable = self.captured(node.iter)
        body = self.block([target, *node.body])
        extra = getattr(node, "extra_test", None)
        if extra is not None:
            for inner in ast.walk(extra):
                ast.copy_location(inner, node)
            extra = _lambda(self.visit(extra))
        state, get, put = self.state_functions(names)
        body_def, body_name = self.body_function("body", body, names, outside, [item])
        call = _runtime("for_statement", iterable, extra or ast.Constant(None), body_name, get, put, _texts(names),
                        _texts(outside), _load(self.variables[-1]), self.place(node))
        return [*state, body_def, ast.Expr(call)]

    def visit_Return(self, node):
        self.generic_visit(node)
        if isinstance(node.value, ast.Name):
            node.value = ast.copy_location(_runtime("defined", node.value), node)
        return node

    def visit_Assert(self, node):
        message = self.later(node.msg) if node.msg else ast.Constant(None)
        return ast.Expr(_runtime("assert_statement", self.visit(node.test), message, self.place(node)))

    def visit_Raise(self, node):
        self.generic_visit(node)
        return [ast.Expr(_runtime("check_raise", self.place(node))), node]

    # What changes objects that are no variables of the function, or forgets variables.
    def check_targets(self, node, targets):
        checks = []
        for target in targets:
            for inner in ast.walk(target):
                is_outside = isinstance(inner, ast.Name) and inner.id in self.outside[-1]
                is_store = isinstance(getattr(inner, "ctx", None), (ast.Store, ast.Del))
                if is_store and (is_outside or isinstance(inner, (ast.Attribute, ast.Subscript))):
                    what = ast.Constant(ast.unparse(inner))
                    arguments = [what, self.place(node)]
                    if isinstance(inner, ast.Subscript) and _is_plain(inner.value):
                        arguments.append(_lambda(_loaded(inner.value)))
                    checks.append(ast.Expr(_runtime("check_store", *arguments)))
        return [*checks, node] if checks else node

    def visit_Assign(self, node):
        self.generic_visit(node)
        return self.check_targets(node, node.targets)

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        return self.check_targets(node, [node.target])

    def visit_AnnAssign(self, node):
        # A variable with an annotation cannot be declared nonlocal.
        if node.value is None:
            return ast.Pass() if isinstance(node.target, ast.Name) else node
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Delete(self, node):
        return self.check_targets(node, node.targets)

    def visit_With(self, node):
        node.items = [self.visit(item) for item in node.items]
        node.body = self.block(node.body)
        return node

    def visit_Try(self, node):
        for block in (node, *node.handlers):
            block.body = self.block(block.body)
        node.orelse, node.finalbody = self.block(node.orelse), self.block(node.finalbody)
        return node

    visit_TryStar = visit_Try

    def visit_Match(self, node):
        node.subject = _runtime("python_value", self.visit(node.subject), self.place(node))
        for case in node.cases:
            case.body = self.block(case.body)
        return node

    # --- Expressions ---

    def visit_BoolOp(self, node):
        function = "and_" if isinstance(node.op, ast.And) else "or_"
        if not hasattr(node, "is_test"):
            function += "value"
        return self.choice(node, function, self.visit(node.values[0]), *map(self.later, node.values[1:]))

    def choice(self, node, function, *arguments):
        return ast.copy_location(_runtime(function, _load(self.variables[-1]), self.place(node), *arguments), node)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return ast.copy_location(_runtime("not_", node.operand), node) if isinstance(node.op, ast.Not) else node

    def visit_IfExp(self, node):
        return self.choice(node, "if_expression", self.visit(node.test), self.later(node.body), self.later(node.orelse))

    def visit_Compare(self, node):
        if len(node.ops) == 1:
            self.generic_visit(node)
            return node
        operators = [ast.Constant(type(op).__name__) for op in node.ops]
        return self.choice(node, "compare", self.visit(node.left), _tuple(operators),
                           *map(self.later, node.comparators))

    def visit_comprehension(self, node):
        iterable = self.captured(node.iter)
        node.iter = ast.Constant(None)
        self.generic_visit(node)
        node.iter = iterable
        return node

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id.startswith(PREFIX):
            return node  # of our own
        if isinstance(node.func, ast.Name) and node.func.id in _ITERATING:
            node.args = [self.captured(argument) for argument in node.args]
            node.keywords = [self.visit(keyword) for keyword in node.keywords]
        else:
            self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in ("super", "locals", "globals", "vars", "eval", "exec"):
            if node.func.id == "super" and not node.args and self.receivers[-1]:
                # It may stand in a function of ours, which is no method.
                node.args = [_load("__class__"), _load(self.receivers[-1])]
            return node  # these look at the frame that calls them
        node.func = ast.copy_location(_runtime("converted", node.func), node.func)
        return node
