module github.com/skillpack/skillpack

go 1.26.0
