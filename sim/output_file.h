// SPDX-License-Identifier: Apache-2.0
//
// A file that the simulator writes, with its errors reported instead of lost.

#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "options.h"

namespace foliot {

class OutputFile {
  public:
    // Throws UsageError where the file cannot be created.
    explicit OutputFile(const std::string &path)
        : path_(path), file_(std::fopen(path.c_str(), "wb")) {
        if (!file_) throw UsageError(path + ": " + std::strerror(errno));
    }
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;
    ~OutputFile() {
        if (file_) std::fclose(file_);
    }

    std::FILE *stream() { return file_; }

    // Throws UsageError where something could not be written, now or before.
    void close() {
        const bool failed = std::ferror(file_) != 0;
        const bool close_failed = std::fclose(file_) != 0;
        file_ = nullptr;
        if (failed || close_failed) throw UsageError(path_ + ": cannot be written");
    }

  private:
    std::string path_;
    std::FILE *file_;
};

}  // namespace foliot
