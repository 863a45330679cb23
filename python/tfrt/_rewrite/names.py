"""Which names statements bind, and what else they contain."""

import ast

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp,
           ast.GeneratorExp)


def walk_scope(nodes):
    """All nodes, without those of nested functions, classes and comprehensions."""
    todo = list(nodes)
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, _SCOPES):
            # Decorators and defaults belong to this scope, but bind nothing; a walrus in a comprehension does.
            if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
                todo.extend(inner for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr))
            continue
        todo.extend(ast.iter_child_nodes(node))


def bound_names(nodes):
    """Names that the statements assign, in the order of the alphabet."""
    names = set()
    for node in walk_scope(nodes):
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.add(node.rest)
        elif isinstance(node, ast.NamedExpr):
            names.add(node.target.id)
    return sorted(names)


def outside_names(nodes, kinds=(ast.Global, ast.Nonlocal)):
    """Names that are declared global or nonlocal, or as one of these."""
    names = set()
    for node in walk_scope(nodes):
        if isinstance(node, kinds):
            names.update(node.names)
    return names


def contains(nodes, kinds):
    """Whether there is a node of these kinds in this scope."""
    return any(isinstance(node, kinds) for node in walk_scope(nodes))


def loop_jumps(nodes, kinds):
    """Whether there is a `break` or `continue` that belongs to the loop with this body."""
    for node in nodes:
        if isinstance(node, kinds):
            return True
        if isinstance(node, _SCOPES):
            continue
        if isinstance(node, (ast.For, ast.While, ast.AsyncFor)):
            if loop_jumps(node.orelse, kinds):
                return True
            continue
        if loop_jumps(ast.iter_child_nodes(node), kinds):
            return True
    return False


def always_ends(body):
    """Whether control never passes the end of these statements: they return or raise."""
    for statement in body:
        if isinstance(statement, (ast.Return, ast.Raise)):
            return True
        if isinstance(statement, ast.If) and always_ends(statement.body) and always_ends(statement.orelse):
            return True
        if isinstance(statement, (ast.With, ast.AsyncWith)) and always_ends(statement.body):
            return True
    return False
