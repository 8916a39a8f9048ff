// SPDX-License-Identifier: MIT
#include <array>
#include <exception>
#include <string>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "python/module.hpp"

namespace grundy::python {
namespace {

namespace py = pybind11;

/// The exceptions of the module, by ErrorCode. They live as long as the interpreter.
std::array<PyObject*, 4> exceptions{};

PyObject* make_exception(py::module_& module, const char* name, const char* text,
                         const py::tuple& bases) {
  const std::string path = std::string("grundy.") + name;
  PyObject* const made = PyErr_NewExceptionWithDoc(path.c_str(), text, bases.ptr(), nullptr);
  if (made == nullptr) throw py::error_already_set();
  module.attr(name) = py::handle(made);
  return made;
}

}  // namespace

void bind_errors(py::module_& module) {
  const py::handle error = make_exception(module, "Error", "What every failure of this module is.",
                                          py::make_tuple(py::handle(PyExc_Exception)));
  const auto with = [&](PyObject* builtin) { return py::make_tuple(error, py::handle(builtin)); };
  const auto at = [](ErrorCode code) -> PyObject*& {
    return exceptions.at(static_cast<std::size_t>(code));
  };
  at(ErrorCode::kFailure) = make_exception(
      module, "FailureError", "Memory, disk or the system failed.", with(PyExc_RuntimeError));
  at(ErrorCode::kUsage) =
      make_exception(module, "UsageError", "What was asked for is malformed or impossible.",
                     with(PyExc_ValueError));
  // The protocol of sequences asks for an IndexError.
  make_exception(module, "RangeError",
                 "What was asked for is not in the file, and no proved period gives it.",
                 py::make_tuple(py::handle(at(ErrorCode::kUsage)), py::handle(PyExc_IndexError)));
  at(ErrorCode::kMismatch) = make_exception(module, "MismatchError", "A check found a wrong value.",
                                            with(PyExc_ArithmeticError));
  at(ErrorCode::kCorrupt) =
      make_exception(module, "CorruptError", "A file is damaged, foreign or of another format.",
                     with(PyExc_OSError));
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& failure) {
      const std::string words =
          with_options(failure.what(), {{kAllowReplacement, "overwrite=True"},
                                        {kTakeOver, "grundy resume --force"},
                                        {kFindGenera, "grundy.genera"},
                                        {kZerosOfValues, "grundy.values"},
                                        {kAskWhatItHolds, "grundy.open_table"},
                                        {kResumeToAnotherHeap, "grundy resume --to N"},
                                        {kCanGoOn, "grundy resume"},
                                        {kProveSealed, "grundy verify --range 0:"},
                                        {kLongTest, "grundy selftest --soak 60min"},
                                        {kCatalogueLists, "grundy.catalogue"},
                                        {kSortTable, "sorted=True"}});
      PyErr_SetString(exceptions.at(static_cast<std::size_t>(failure.code())), words.c_str());
    }
  });
}

}  // namespace grundy::python
