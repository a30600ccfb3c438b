// Command probe prints the verdict on a position of English checkers and its
// moves, best first.
package main

import (
	"dambase/engine"
	"dambase/probe"
	"fmt"
	"log"
	"os"
)

func main() {
	variant, _ := engine.Builtin("english")
	tables, err := probe.Open(os.Args[1], probe.Options{Variant: variant})
	if err != nil {
		log.Fatal(err)
	}
	defer tables.Close()
	position, err := tables.Rules().ParsePosition(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	result, err := tables.Probe(position, engine.Counters{}) // no allocation once cached
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Category, result.DTW)
	moves, err := tables.Moves(position, engine.Counters{})
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range moves {
		fmt.Println(tables.Rules().FormatMove(&position, m.Move), m.Result.Category, m.Result.DTW)
	}
}
