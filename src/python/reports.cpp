// SPDX-License-Identifier: MIT
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/operators.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "core/digest.hpp"
#include "python/module.hpp"

namespace grundy::python {
namespace {

namespace py = pybind11;

std::string text_of(const MixedPattern& pattern) {
  return "MixedPattern('" + std::string(to_string(pattern.status())) +
         "', preperiod=" + std::to_string(pattern.preperiod) +
         ", period=" + std::to_string(pattern.period) + ")";
}

std::string text_of(const PeriodReport& period) {
  const std::string status(to_string(period.status));
  if (period.mixed) return "Period('none', mixed=" + text_of(*period.mixed) + ")";
  if (period.status == PeriodStatus::kNone) return "Period('none')";
  return "Period('" + status + "', preperiod=" + std::to_string(period.preperiod) +
         ", period=" + std::to_string(period.period) + ", saltus=" + std::to_string(period.saltus) +
         ")";
}

std::string text_of(const TableStats& stats) {
  return "Statistics(count=" + std::to_string(stats.count) +
         ", maximum=" + std::to_string(stats.max_value) + ")";
}

/// A number of a period, or None if no period is known.
template <class Number>
auto if_known(Number PeriodReport::*number) {
  return [number](const PeriodReport& period) {
    return period.status == PeriodStatus::kNone ? py::object(py::none()) : py::cast(period.*number);
  };
}

/// What pickle writes of a period: its members, in order.
using SparseState = std::tuple<Nimber, bool, std::uint64_t, HeapSize, HeapSize, HeapSize>;
using PeriodState = std::tuple<std::string, HeapSize, HeapSize, Nimber, HeapSize, std::string,
                               std::optional<SparseState>, std::optional<MixedPattern>, bool>;

PeriodState state_of(const PeriodReport& period) {
  std::optional<SparseState> sparse;
  if (const auto& facts = period.sparse) {
    sparse = {facts->mask,      facts->parity, facts->rare,
              facts->last_rare, facts->depth,  facts->count};
  }
  return {std::string(to_string(period.status)),
          period.preperiod,
          period.period,
          period.saltus,
          period.verified_to,
          period.theorem,
          sparse,
          period.mixed,
          period.is_least};
}

/// The aggregate with these members.
template <class T, class Members>
T made_of(const Members& members) {
  return std::apply([](const auto&... member) { return T{member...}; }, members);
}

PeriodReport period_of(const PeriodState& state) {
  const auto& [status, preperiod, period, saltus, verified_to, theorem, sparse, mixed, is_least] =
      state;
  const auto known = period_status(status);
  if (!known) throw Error(ErrorCode::kUsage, "a pickled period has no such status");
  PeriodReport report{.status = *known,
                      .preperiod = preperiod,
                      .period = period,
                      .saltus = saltus,
                      .verified_to = verified_to,
                      .theorem = theorem,
                      .mixed = mixed,
                      .is_least = is_least};
  if (sparse) report.sparse = made_of<SparseFacts>(*sparse);
  return report;
}

}  // namespace

void bind_reports(py::module_& module) {
  py::class_<MixedPattern>(module, "MixedPattern",
                           "Values that are partly periodic and partly arithmetically periodic: "
                           "G(n + period) = G(n) + saltus[n % period] for all n >= preperiod.")
      .def_property_readonly(
          "status",
          [](const MixedPattern& pattern) { return std::string(to_string(pattern.status())); },
          "`candidate` (seen, not proved) or `certified`")
      .def_readonly("certified", &MixedPattern::proved, "It is proved.")
      .def_readonly("preperiod", &MixedPattern::preperiod,
                    "The least such number, counted from heap 0.")
      .def_readonly("period", &MixedPattern::period, "The least one.")
      .def_readonly("saltus", &MixedPattern::saltus,
                    "By the residue of the heap modulo the period; not all are equal.")
      .def_readonly("verified_to", &MixedPattern::size, "Values of heaps below this were compared.")
      .def(py::self == py::self)
      .def("__repr__", [](const MixedPattern& pattern) { return text_of(pattern); })
      .def(py::pickle(
          [](const MixedPattern& pattern) {
            return std::tuple(pattern.preperiod, pattern.period, pattern.saltus, pattern.size,
                              pattern.proved);
          },
          [](const std::tuple<HeapSize, HeapSize, std::vector<Nimber>, HeapSize, bool>& state) {
            return made_of<MixedPattern>(state);
          }));

  py::class_<PeriodReport>(
      module, "Period",
      "What is known of the period of a game of one heap: G(n + period) = G(n) + "
      "saltus for all n >= preperiod. Numbers are None where nothing is known.")
      .def_property_readonly(
          "status",
          [](const PeriodReport& period) { return std::string(to_string(period.status)); },
          "`none`, `candidate` (seen, not proved) or `certified`")
      .def_property_readonly(
          "certified",
          [](const PeriodReport& period) { return period.status == PeriodStatus::kCertified; },
          "It is proved.")
      .def_property_readonly("preperiod", if_known(&PeriodReport::preperiod),
                             "The least such number, counted from heap 0.")
      .def_property_readonly("period", if_known(&PeriodReport::period), "The least one.")
      .def_property_readonly("saltus", if_known(&PeriodReport::saltus),
                             "0 for a period in the narrow sense.")
      .def_property_readonly(
          "last_exception",
          [](const PeriodReport& period) {
            return period.status == PeriodStatus::kNone ? std::nullopt : period.last_exception();
          },
          "The last heap at which the pattern fails; None if there is none.")
      .def_readonly("verified_to", &PeriodReport::verified_to,
                    "Values of heaps below this were compared.")
      .def_readonly("theorem", &PeriodReport::theorem, "What proves it; empty unless certified.")
      .def_readonly(
          "mixed", &PeriodReport::mixed,
          "The MixedPattern that `period()` found where a game with a pass has no period, "
          "or None. Files do not keep it.")
      .def(py::self == py::self)
      .def("__repr__", [](const PeriodReport& period) { return text_of(period); })
      .def(py::pickle(&state_of, &period_of));

  py::class_<TableStats>(module, "Statistics", "Counts of the values of a table or a run.")
      .def_readonly("count", &TableStats::count, "The number of entries.")
      .def_readonly("maximum", &TableStats::max_value, "The largest value.")
      .def_readonly("first_maximum", &TableStats::argmax, "The first entry that has it.")
      .def_property_readonly(
          "value_counts",
          [](const TableStats& stats) {
            return py::array_t<std::uint64_t>(static_cast<py::ssize_t>(stats.histogram.size()),
                                              stats.histogram.data());
          },
          "Entry v: how many entries have the value v.")
      .def_property_readonly(
          "records",
          [](const TableStats& stats) {
            std::vector<std::pair<HeapSize, Nimber>> records;
            for (const ValueRecord& record : stats.records) {
              records.emplace_back(record.entry, record.value);
            }
            return records;
          },
          "Pairs (entry, value) of every new maximum; 2^20 of them at most.")
      .def_property_readonly(
          "digest",
          [](const TableStats& stats) {
            return stats.in_order() ? std::optional(to_hex(stats.digest)) : std::nullopt;
          },
          "The digest of all values, in hexadecimal digits; None if no table was made of them.")
      .def("__repr__", [](const TableStats& stats) { return text_of(stats); });
}

}  // namespace grundy::python
