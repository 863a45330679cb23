"""Models on columns of Arrow, without copies of their elements.

    results = arrow.Predictor("model.bef", columns={"x": "pixels"}, keep=["id"])(batch)

Needs pyarrow and NumPy. `batch` is a table or a record batch, such as the blocks of Ray Data, of Spark's `mapInArrow`,
or of a Parquet file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
import pyarrow as pa

from .._model import load
from .._tensor import from_numpy
from .._tfrt import Model, Tensor, bf16

__all__ = ["Predictor", "column_of", "tensor_of"]


def tensor_of(column: Any, name: str = "") -> Tensor:
    """Returns a tensor over the elements of a column of numbers, [rows], or of lists of one length, [rows, ...].

    Also of tensors of one shape, of Arrow or of Ray. Elements are used in place: the tensor keeps their buffer alive.
    They are copied where Arrow has several chunks, or bits for booleans. Missing values and other types are errors.
    """
    where = f"the column {name!r}" if name else "the column"
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
        if isinstance(column, pa.ChunkedArray):  # extension types keep their chunks in some versions
            column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    given, shape = column.type, [len(column)]
    is_extension = isinstance(given, pa.BaseExtensionType)
    if is_extension:
        order = getattr(given, "permutation", None)
        if getattr(given, "shape", None) is None or order and order != sorted(order):
            raise TypeError(f"{where} is of {given}, not of numbers or of tensors of one shape")
        _refuse_nulls(column, where)
        shape += given.shape
        column = column.storage
    while pa.types.is_fixed_size_list(column.type) or is_extension and pa.types.is_nested(column.type):
        _refuse_nulls(column, where)
        if not is_extension:
            shape.append(column.type.list_size)
        column = column.flatten()
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type) or pa.types.is_boolean(column.type)):
        raise TypeError(f"{where} is of {given}, not of numbers or of lists of one fixed length")
    _refuse_nulls(column, where)
    elements = column.to_numpy(zero_copy_only=not pa.types.is_boolean(column.type))
    if elements.size != int(np.prod(shape)):
        raise ValueError(f"{where} has {elements.size} elements in {shape[0]} rows, which are not tensors of the shape "
                         f"{tuple(shape[1:])}")
    return from_numpy(elements.reshape(shape))


def _refuse_nulls(column, where):
    if column.null_count:
        raise ValueError(f"{where} has missing values: {column.null_count} of {len(column)}")


def column_of(tensor: Tensor, name: str = "") -> Any:
    """Returns an array of Arrow over the elements of a tensor [rows, ...]: numbers, or lists of one length, nested.

    The array keeps the tensor's memory alive. Booleans become bits, which is a copy.
    """
    where = f"the result {name!r}" if name else "the tensor"
    if tensor.dtype == bf16:
        raise TypeError(f"{where} is of bf16, which Arrow lacks; cast it to f32")
    elements = tensor.numpy()
    if not elements.ndim:
        raise ValueError(f"{where} is one number, not one or more for each row")
    if 0 in elements.shape[1:]:
        raise ValueError(f"{where} has the shape {elements.shape}: rows without elements")
    kind = pa.from_numpy_dtype(elements.dtype)
    if elements.dtype == np.bool_:
        column = pa.array(elements.reshape(-1))
    else:
        column = pa.Array.from_buffers(kind, elements.size, [None, pa.py_buffer(elements)])
    for size in reversed(elements.shape[1:]):
        column = pa.FixedSizeListArray.from_arrays(column, size)
    return column


class Predictor:
    """A model as a function of tables: a class for `map_batches` of Ray Data, with `batch_format="pyarrow"`.

    It can be pickled, and each process then maps the same file of the model.
    """

    def __init__(self, model: Union[Model, str, "os.PathLike[str]"], *, columns: Optional[Mapping[str, str]] = None,
                 keep: Sequence[str] = ()) -> None:
        """`model` is one, or the path of its file. `columns` says which column an input is, by default that of its
        name.

        The results are columns of their names; `keep` lists columns that go along.
        """
        self._model = model if isinstance(model, Model) else load(model)
        names = [value.name for value in self._model.inputs]
        for name in columns or ():
            if name not in names:
                raise ValueError(f"the model has no input {name!r}; its inputs are {', '.join(map(repr, names))}")
        self._columns = {name: (columns or {}).get(name, name) for name in names}
        self._keep = list(keep)
        for value in self._model.outputs:
            if value.name in self._keep:
                raise ValueError(f"the column {value.name!r} is to be kept, but a result has that name")

    def __call__(self, batch: Any) -> Any:
        """Runs the model on a table or a record batch, and returns a table of as many rows."""
        for name in (*self._columns.values(), *self._keep):
            if name not in batch.schema.names:
                raise ValueError(f"there is no column {name!r}; the columns are "
                                 f"{', '.join(map(repr, batch.schema.names))}")
        kept = {name: batch.column(name) for name in self._keep}
        results = self._model.run({name: tensor_of(batch.column(column), column)
                                   for name, column in self._columns.items()})
        made = {name: column_of(tensor, name) for name, tensor in results.items()}
        for name, column in made.items():
            if len(column) != batch.num_rows:
                raise ValueError(f"the result {name!r} has {len(column)} rows for a batch of {batch.num_rows}")
        return pa.table({**kept, **made})
