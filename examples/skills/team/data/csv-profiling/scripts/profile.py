#!/usr/bin/env python3
"""Profile a CSV file: types, missing values, duplicates, broken rows.

usage: profile.py [--delimiter CHAR] [--json] FILE

Exit status: 0 nothing found, 1 findings, 2 the file cannot be read.
"""

import argparse
import csv
import json
import re
import sys

MOST_KEYS = 1_000_000  # distinct values of one key column held in memory
MOST_ROWS_NAMED = 5    # lines named in one finding

TYPES = (
    ("integer", re.compile(r"[+-]?\d+\Z")),
    ("number", re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?\Z")),
    ("date", re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\Z")),
    ("time stamp", re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?\Z")),
    ("boolean", re.compile(r"(true|false|yes|no)\Z", re.IGNORECASE)),
)


def type_of(value):
    for name, pattern in TYPES:
        if pattern.match(value):
            return name
    return "text"


class Column:
    def __init__(self, name, key):
        self.name = name
        self.key = key
        self.values = 0
        self.missing = 0
        self.types = {}    # type -> [count, first value, first line]
        self.longest = 0
        self.seen = {}     # of a key: value -> first line
        self.repeated = {} # of a key: value -> lines

    def add(self, value, line):
        self.values += 1
        if not value.strip():
            self.missing += 1
            return
        self.longest = max(self.longest, len(value))
        kind = self.types.setdefault(type_of(value.strip()), [0, value, line])
        kind[0] += 1
        if self.key and len(self.seen) < MOST_KEYS:
            first = self.seen.setdefault(value, line)
            if first != line:
                self.repeated.setdefault(value, [first]).append(line)

    def type(self):
        """The type of over four fifths of the values, else text."""
        counts = {kind: count for kind, (count, _, _) in self.types.items()}
        if "number" in counts and "integer" in counts:
            counts["number"] += counts["integer"]
        present = self.values - self.missing
        if not present:
            return "empty"
        kind = max(counts, key=lambda k: (counts[k], k == "number"))
        return kind if counts[kind] * 5 >= present * 4 else "text"

    def odd_ones(self):
        """The values that are not of the column's type: count, value, line."""
        usual = self.type()
        if usual in ("text", "empty"):
            return None
        fits = {usual} | ({"integer"} if usual == "number" else set())
        others = [entry for kind, entry in self.types.items() if kind not in fits]
        if not others:
            return None
        first = min(others, key=lambda entry: entry[2])
        return sum(entry[0] for entry in others), first[1], first[2]


def is_key(position, name):
    return position == 0 or re.search(r"(^|[_ -])id\Z|[a-z]Id\Z", name.strip()) is not None


def lines_named(lines):
    text = [str(line) for line in lines[:MOST_ROWS_NAMED]]
    if len(lines) > MOST_ROWS_NAMED:
        return ", ".join(text) + " and %d more" % (len(lines) - MOST_ROWS_NAMED)
    return text[0] if len(text) == 1 else ", ".join(text[:-1]) + " and " + text[-1]


def profile(stream, delimiter):
    """Read the file once; return columns, the number of rows, and findings."""
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    header = next(reader, None)
    if not header:
        raise ValueError("the file is empty")
    findings = []
    for position, name in enumerate(header):
        if not name.strip():
            findings.append("header: column %d has no name" % (position + 1))
        elif name != name.strip():
            findings.append("header: %s has blanks at an end" % json.dumps(name, ensure_ascii=False))
    for name in sorted({name for name in header if name.strip() and header.count(name) > 1}):
        findings.append("header: %s occurs %d times" % (name, header.count(name)))
    columns = [Column(name, is_key(i, name)) for i, name in enumerate(header)]
    rows = 0
    broken = {}
    for row in reader:
        if not row:
            continue
        rows += 1
        if len(row) != len(header):
            broken.setdefault(len(row), []).append(reader.line_num)
            continue
        for column, value in zip(columns, row):
            column.add(value, reader.line_num)
    for fields, lines in sorted(broken.items()):
        findings.append("line%s %s: %d fields, the header has %d"
                        % ("s" if len(lines) > 1 else "", lines_named(lines), fields, len(header)))
    for column in sorted(columns, key=lambda c: c.name):
        odd = column.odd_ones()
        if odd:
            findings.append("%s: %d of %d values are not like the others (%s): %s on line %d"
                            % (column.name, odd[0], column.values, column.type(), json.dumps(odd[1], ensure_ascii=False), odd[2]))
    for column in sorted(columns, key=lambda c: c.name):
        if column.missing:
            findings.append("%s: %d of %d values are missing" % (column.name, column.missing, column.values))
    for column in sorted(columns, key=lambda c: c.name):
        if not column.repeated:
            continue
        value, lines = next(iter(column.repeated.items()))
        many = len(column.repeated)
        findings.append("%s: %d value%s twice: %s on lines %s"
                        % (column.name, many, " occurs" if many == 1 else "s occur", json.dumps(value, ensure_ascii=False), lines_named(lines)))
    return columns, rows, findings


def guess_delimiter(path):
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as stream:
        first = stream.readline()
    counts = {delimiter: first.count(delimiter) for delimiter in ",;\t|"}
    best = max(counts, key=counts.get)
    return best if counts[best] else ","


def main():
    parser = argparse.ArgumentParser(description="Profile a CSV file.")
    parser.add_argument("file")
    parser.add_argument("--delimiter", help="one character; guessed from the header by default")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    args = parser.parse_args()
    if args.delimiter is not None and len(args.delimiter) != 1:
        parser.error("--delimiter takes one character, such as ';'")
    try:
        delimiter = args.delimiter or guess_delimiter(args.file)
        with open(args.file, encoding="utf-8-sig", newline="") as stream:
            columns, rows, findings = profile(stream, delimiter)
    except UnicodeDecodeError as error:
        print("%s: byte 0x%02x is not UTF-8; try: iconv -f WINDOWS-1252 -t UTF-8 %s"
              % (args.file, error.object[error.start], args.file), file=sys.stderr)
        return 2
    except (OSError, ValueError, csv.Error) as error:
        print("%s: %s" % (args.file, error), file=sys.stderr)
        return 2

    if args.json:
        print(json.dumps({
            "file": args.file,
            "delimiter": delimiter,
            "rows": rows,
            "columns": [{"name": c.name, "type": c.type(), "missing": c.missing, "longest": c.longest} for c in columns],
            "findings": findings,
        }, indent=2, ensure_ascii=False))
    else:
        print("%s: %d rows, %d columns, delimiter %s\n" % (args.file, rows, len(columns), json.dumps(delimiter)))
        width = max(len(c.name) for c in columns)
        for c in columns:
            print("  %-*s  %-10s  %d missing, longest %d" % (width, c.name, c.type(), c.missing, c.longest))
        print("\nfindings" if findings else "\nno findings")
        for finding in findings:
            print("  " + finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
