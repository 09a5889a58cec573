// Package bundle reads a directory of skills, safely, and makes a manifest and
// findings of it.
//
// [Read] walks the directory once, hashes every file of every skill as it reads
// it, and returns a [Bundle]: the manifest, everything that is wrong, and what
// was left out, side by side. [Bundle.Open] reads a file again and fails when it
// is no longer the one the manifest describes.
//
// # Which files belong to a skill
//
// A directory that holds a file named exactly SKILL.md is a skill; the directory
// that is read may be one. A skill has every regular file below it, those of
// nested skills included. Left out are:
//
//   - .git, .hg, .svn, .jj, __pycache__, .DS_Store, Thumbs.db, desktop.ini,
//     *.pyc, editors' swap and backup files (.x.swp, .#x, #x#, x~), and the
//     files that skillpack itself reads and writes;
//   - what a line of .skillpackignore at the top of the directory, or an
//     --exclude option, matches. A line is a doublestar pattern. Without a slash
//     it matches that name anywhere; with one it is relative to the top; with a
//     slash at its end it matches folders only. What it says of a folder holds
//     for everything below. A line that starts with ! takes back in, one that
//     starts with # is a comment, and of all lines that match the last decides.
//
// # Rules that a path must keep
//
// They hold for each name of a file or folder in a skill, and of a folder above
// one:
//
//   - it is valid UTF-8 without control characters and backslashes
//     (path-encoding);
//   - it has at most 255 bytes, and the whole path, prefix included, at most
//     1,024 (path-length); nothing below a longer one is read;
//   - it differs from its siblings in more than letter case and Unicode
//     normalisation (path-collision);
//   - Windows can store it: no device name such as CON or aux.md, none of
//     < > : " | ? *, no dot or space at its end (path-reserved);
//   - it should be in Unicode normal form C (path-not-nfc), and best has no
//     characters but A-Z a-z 0-9 . _ ~ - (path-portability).
//
// It is a regular file or a folder: no device, socket or FIFO, and no symlink
// unless symlinks are to be followed, and then only one that leads to a target
// inside the directory, by a relative path, without a loop.
//
// # Limits
//
// A file is opened once and hashed as it is read. Only a SKILL.md with what may
// be a broken link is read again, to parse its Markdown, and must then have the
// same digest. Of a SKILL.md the first mebibyte is parsed; its digest, size and
// number of lines are those of the whole file. A file over one gibibyte is
// not read at all: it is far beyond what a skill may have. A directory of over
// 1,048,576 entries, or 16,384 behind symlinks, is refused.
//
// # What the package must not do
//
// It must not open anything outside the directory, except the .gitattributes
// files of the repository around it, and asks no more of a path outside than
// whether it exists, where a file holds nothing but that path; not open anything but regular files and
// folders; not change the bytes it hashes, nor any file it reads; not hold more
// than a buffer of a file in memory; and not decide on severities: package lint
// does that.
package bundle
