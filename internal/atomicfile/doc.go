// Package atomicfile replaces files so that a reader sees the old or the new
// content and never a part of it: a temporary file beside the target, a sync, a
// rename. Several files are replaced together, or none.
//
// It must not know what it writes. Nothing here reads skills or manifests.
package atomicfile
