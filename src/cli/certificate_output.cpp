// SPDX-License-Identifier: MIT
#include "cli/certificate_output.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace grundy::cli {

CertificateOutput::CertificateOutput(std::string path, bool replace) : path_(std::move(path)) {
  if (!path_.empty()) out_.emplace(ByteOutput::file(path_, replace));
}

CertificateOutput::CertificateOutput(std::string path, bool replace,
                                     std::optional<Certificate> earlier)
    : CertificateOutput(std::move(path), replace || earlier) {
  earlier_ = std::move(earlier);
  of_range_ = true;
}

void CertificateOutput::write(const Certificate& certificate) {
  if (!out_) return;
  out_->write((earlier_ ? merge({*earlier_, certificate}) : certificate).to_json());
  out_->commit();
  is_written_ = true;
}

Json CertificateOutput::json() const {
  return is_written_ ? Json(path_) : Json();
}

void CertificateOutput::print(Console& console, const char* reason) const {
  if (is_written_) console.field("certificate", path_);
  note(console, reason);
}

void CertificateOutput::note(Console& console, const char* reason) const {
  if (is_written_ || path_.empty()) return;
  console.note(fmt::format("'{}' was not written: {}", path_, reason));
}

void write_proved(CertificateOutput& output, const ListCheck& check) {
  if (check.proved_range) output.write(certificate_of(check));
}

}  // namespace grundy::cli
