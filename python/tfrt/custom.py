"""Ops of a program's own, in Python."""

from ._tfrt import _make_custom_op


def custom_op(name, *, results=1, has_effects=False):
    """Makes an op of a function of Python, which takes tensors in host memory and returns what becomes tensors.

        @tfrt.custom_op("my.scale")
        def scale(x):
            return 2.0 * x.numpy()

    The op is called as any other. Its function runs on a thread of the runtime, one call at a time as all of Python,
    and may itself call ops; it must not wait for tensors that it is not given. `results` is the number of results,
    or a list of their names; a function with several returns a tuple. With `has_effects` calls run in the order in
    which they are made.
    """

    def decorate(function):
        import inspect
        inputs = []
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                raise TypeError(f"the function of {name} takes a fixed number of tensors, "
                                f"but has the parameter '{parameter}'")
            inputs.append(parameter.name)
        names = [f"y{i}" if results > 1 else "y" for i in range(results)] if isinstance(results, int) else list(results)
        return _make_custom_op(function, name, inputs, names, has_effects, inspect.getdoc(function) or "")

    return decorate
