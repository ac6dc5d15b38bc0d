// The command line: what it reads, and how it refuses.
#include "cli/cli.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace {

using Arguments = std::vector<std::string_view>;

cli::Options read(const Arguments& arguments) {
  const auto read = cli::read_arguments(arguments);
  if (const auto* problems = std::get_if<1>(&read))
    for (const auto& problem : *problems) FAIL_CHECK(attention::to_sentence(problem));
  return read.index() == 0 ? std::get<0>(read) : cli::Options{};
}

/// The refusals' sentences, one a line; "" when there are none.
std::string refusals(const Arguments& arguments) {
  const auto read = cli::read_arguments(arguments);
  std::string sentences;
  if (const auto* problems = std::get_if<1>(&read))
    for (const auto& problem : *problems) sentences += attention::to_sentence(problem) + '\n';
  return sentences;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("no arguments open a window of 1280 x 800") {
  const cli::Options options = read({});
  CHECK(options.command == cli::Command::window);
  CHECK(options.size == cli::Size{1280, 800});
  CHECK_FALSE(options.theme);
  CHECK_FALSE(options.pixel_ratio);
}

TEST_CASE("a screenshot takes a view, a size and a pixel ratio, with blanks or equals signs") {
  cli::Options wanted;
  wanted.command = cli::Command::screenshot;
  wanted.output = "out.png";
  wanted.query = "?step=softmax&theme=dark";
  wanted.size = {900, 600};
  wanted.pixel_ratio = 1.5;
  CHECK(read({"--screenshot", "out.png", "--url", "?step=softmax&theme=dark", "--size", "900x600", "--pixel-ratio",
              "1.5"}) == wanted);
  CHECK(read({"--pixel-ratio=1.5", "--size=900x600", "--url=?step=softmax&theme=dark", "--screenshot=out.png"}) ==
        wanted);
}

TEST_CASE("a trace goes to a file or, for a single dash, to standard output") {
  CHECK(read({"--trace", "-"}).output == "-");
  CHECK(read({"--trace", "-"}).command == cli::Command::trace);
  CHECK(read({"--trace", "a=b.json"}).output == "a=b.json");
  CHECK(read({"--trace=a=b.json"}).output == "a=b.json");
}

TEST_CASE("a view is a query or a whole address") {
  CHECK(read({"--url", "?step=mask"}).query == "?step=mask");
  CHECK(read({"--url", "step=mask"}).query == "step=mask");
  CHECK(read({"--url", "https://example.org/a/?step=mask&head=2#top"}).query == "?step=mask&head=2");
  CHECK(read({"--url", "https://example.org/a/"}).query == "");
  CHECK(read({"--url", "?from=https://example.org/"}).query == "?from=https://example.org/");
  CHECK(read({"--url="}).query == "");
}

TEST_CASE("a theme on the command line wins over the query's") {
  CHECK(cli::state_of(read({"--url", "?theme=dark"})).theme == app::Theme::dark);
  CHECK(cli::state_of(read({"--url", "?theme=dark", "--theme", "light"})).theme == app::Theme::light);
}

TEST_CASE("a view that can't be taken as it is opens with a notice") {
  CHECK(cli::state_of(read({"--url", "?step=softmax"})).notice == "");
  CHECK(cli::state_of(read({"--url", "?step=dance"})).notice != "");
}

TEST_CASE("an unknown option or argument is named, with the options that there are") {
  CHECK(contains(refusals({"--sise", "900x600"}), "option: found \"--sise\", wanted one of --trace, "));
  CHECK(contains(refusals({"--sise=900x600"}), "found \"--sise=900x600\""));
  CHECK(contains(refusals({"-x"}), "option: found \"-x\""));
  CHECK(contains(refusals({"lesson.json"}), "argument: found \"lesson.json\""));
  CHECK(contains(refusals({""}), "argument: found \"\""));
}

TEST_CASE("an option whose value is missing says which value") {
  for (const char* option : {"--trace", "--screenshot"})
    CHECK(refusals({option}) == std::string(option) + ": found nothing, wanted FILE after it\n");
  CHECK(refusals({"--url"}) == "--url: found nothing, wanted QUERY after it\n");
  CHECK(refusals({"--theme", "--size", "900x600"}) == "--theme: found nothing, wanted THEME after it\n");
  CHECK(refusals({"--size="}) == "--size: found nothing, wanted WxH after it\n");
  CHECK(refusals({"--trace", ""}) == "--trace: found nothing, wanted FILE after it\n");
}

TEST_CASE("a size must be two whole numbers within the limits") {
  CHECK(read({"--size", "320x400"}).size == cli::kSmallestSize);
  CHECK(read({"--size", "8192x8192"}).size == cli::kLargestSize);
  for (const char* size : {"0x0", "99999x1", "foo", "900", "900x", "x600", "900x600x2", "-900x600", "900 x 600",
                           "900.5x600", "319x400", "320x399", "8193x800", "99999999999999999999x600", "0x384x600"}) {
    CAPTURE(size);
    CHECK(refusals({"--size", size}) ==
          "--size: found \"" + std::string(size) + "\", wanted WIDTHxHEIGHT in pixels, from 320x400 to 8192x8192\n");
  }
}

TEST_CASE("a pixel ratio must be a number within the limits") {
  CHECK(read({"--pixel-ratio", "2"}).pixel_ratio == 2.0);
  CHECK(read({"--pixel-ratio", "0.5"}).pixel_ratio == 0.5);
  for (const char* ratio : {"0", "-1", "4.1", "nan", "inf", "2x", "two"}) {
    CAPTURE(ratio);
    CHECK(refusals({"--pixel-ratio", ratio}) ==
          "--pixel-ratio: found \"" + std::string(ratio) + "\", wanted a number from 0.5 to 4\n");
  }
}

TEST_CASE("a size and a pixel ratio that are too much together are refused for a screenshot") {
  CHECK(refusals({"--screenshot", "-", "--size", "8192x800", "--pixel-ratio", "2"}) == "");
  CHECK(contains(refusals({"--screenshot", "-", "--size", "8192x800", "--pixel-ratio", "4"}),
                 "found 32768 device pixels, wanted at most 16384 on a side"));
}

TEST_CASE("options that would change nothing are refused") {
  CHECK(contains(refusals({"--trace", "-", "--size", "900x600"}), "--size: found it with --trace"));
  CHECK(contains(refusals({"--theme", "dark", "--trace", "-"}), "--theme: found it with --trace"));
  CHECK(contains(refusals({"--version", "--url", "?head=2"}), "--url: found it with --version"));
  CHECK(refusals({"--trace", "-", "--url", "?mask=causal"}) == "");
}

TEST_CASE("one thing at a time, and each option once") {
  CHECK(contains(refusals({"--trace", "-", "--screenshot", "a.png"}), "--screenshot: found --trace too"));
  CHECK(contains(refusals({"--theme", "dark", "--theme", "light"}), "--theme: found it twice"));
  CHECK(contains(refusals({"--version=2"}), "--version: found \"2\", wanted no value"));
}

TEST_CASE("all that is wrong is said at once") {
  const std::string said = refusals({"--sise", "--size", "foo", "--theme", "blue"});
  CHECK(contains(said, "\"--sise\""));
  CHECK(contains(said, "--size: found \"foo\""));
  CHECK(contains(said, "--theme: found \"blue\", wanted light or dark"));
}

TEST_CASE("the help names every option") {
  const std::string help = cli::help_text();
  for (const char* option : {"--trace FILE", "--screenshot FILE", "--url QUERY", "--theme THEME", "--size WxH",
                             "--pixel-ratio RATIO", "--licenses", "--version", "--help"}) {
    CAPTURE(option);
    CHECK(contains(help, option));
  }
  CHECK(read({"-h"}).command == cli::Command::help);
}
