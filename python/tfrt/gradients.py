"""Gradients of functions, as traced functions."""

from . import _tfrt
from ._rewrite import changes, structure
from ._tfrt import Tensor, Variable
from .tracing import Function, _name_of

__all__ = ["grad", "value_and_grad"]


class _Gradient(Function):
    """The traced function of the gradients of a loss; takes what the loss takes."""

    def __init__(self, loss, argnums, variables, with_value, options):
        if argnums is None:
            argnums = 0 if variables is None else ()
        chosen = argnums if isinstance(argnums, (tuple, list)) else (argnums,)
        if not all(type(number) is int for number in chosen):
            raise TypeError(f"argnums is the number of an argument, or a tuple of such, not {argnums!r}")
        leaves, self._build_variables, _ = structure.flatten(variables if variables is not None else ())
        for leaf in leaves:
            if not isinstance(leaf, Variable):
                raise TypeError("variables are tfrt.Variables, also in tuples, lists and dicts, not "
                                f"{type(leaf).__name__}")
        if not chosen and not leaves:
            raise ValueError("the gradient for nothing: argnums is empty, and so are the variables")
        self._loss = loss if isinstance(loss, Function) else None
        self._chosen, self._is_one = tuple(chosen), not isinstance(argnums, (tuple, list))
        self._variables, self._has_variables = leaves, variables is not None
        self._with_value = with_value
        python_function = loss._python_function if self._loss else loss
        name = f"gradient of {_name_of(python_function)}"
        super().__init__(python_function, _name=name, **options)

    def _run(self, args, kwargs):
        places = [number % len(args) for number in self._chosen if args]
        if len(set(places)) < len(places):
            raise ValueError(f"argnums {self._chosen} of {self.__name__} names an argument twice")
        parts = [structure.flatten(self._argument(args, number)) for number in self._chosen]
        leaves = [leaf for part in parts for leaf in part[0]]
        for leaf in leaves:
            if not isinstance(leaf, (Tensor, Variable)):
                raise TypeError(f"the gradient of {self.__name__} for {leaf!r}: only tensors and variables of floats "
                                "have one; give a tensor, or leave it out of argnums")
        tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
        variables = [leaf for leaf in leaves if isinstance(leaf, Variable)]
        build = None

        def loss(*tensors_now):
            nonlocal build
            given, now = list(args), iter(tensors_now)
            for number, (old, make, _) in zip(self._chosen, parts):
                given[number] = make([next(now) if isinstance(leaf, Tensor) else leaf for leaf in old])
            with changes.tracing(min((tensor._number for tensor in tensors_now), default=_tfrt._next_tensor_number())):
                made, build = self._taken_apart((self._loss or self._code())(*given, **kwargs))
            return made

        made = list(_tfrt._gradients(self.__name__, loss, tensors, variables + self._variables, self._with_value))
        of_variables = made[len(made) - len(self._variables):]
        made = made[:len(made) - len(self._variables)]
        of_leaves = made[len(made) - len(leaves):]
        value = made[:len(made) - len(leaves)]
        gradients = self._gradients(parts, leaves, of_leaves, len(tensors), of_variables)
        return (build(value), gradients) if self._with_value else gradients

    def _argument(self, args, number):
        if not -len(args) <= number < len(args):
            raise ValueError(f"the gradient for argument {number} of {self.__name__}, which was called with "
                             f"{len(args)}")
        return args[number]

    def _gradients(self, parts, leaves, made, num_tensors, of_variables):
        """Built as the arguments are: those for tensors come first."""
        of_tensors, of_others = iter(made[:num_tensors]), iter(made[num_tensors:])
        ordered = [next(of_tensors if isinstance(leaf, Tensor) else of_others) for leaf in leaves]
        built = []
        for part, make, _ in parts:
            built.append(make(ordered[:len(part)]))
            del ordered[:len(part)]
        of_arguments = built[0] if self._is_one and built else tuple(built)
        if not self._has_variables:
            return of_arguments
        of_variables = self._build_variables(of_variables)
        return (of_arguments, of_variables) if self._chosen else of_variables


def grad(loss, argnums=None, *, variables=None, **options) -> Function:
    """The traced function of the gradients of a loss, with respect to an argument, by number, or a tuple of such.

        gradient = tfrt.grad(lambda x: (x * x).sum())
        gradient(tfrt.tensor([1.0, 3.0]))               # [2, 6]

    The loss, a function or a traced one, returns one float, or a tuple whose first tensor is one. Arguments may be
    lists, tuples and dicts of tensors and Variables; gradients are built as they are. `variables`, a list say, are
    Variables that the loss uses: their gradients alone, built as these are, or with `argnums` (those of arguments,
    those of variables). Without either it is the first argument. Called in a traced function it becomes part of its
    program. Options are those of `tfrt.function`.
    """
    return _Gradient(loss, argnums, variables, False, options)


def value_and_grad(loss, argnums=None, *, variables=None, **options) -> Function:
    """As `grad`, of (what the loss returns, the gradients).

        step = tfrt.value_and_grad(loss, variables=[weights, bias])
        value, (of_weights, of_bias) = step(x)
    """
    return _Gradient(loss, argnums, variables, True, options)
