package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"dambase/cmd/internal/cli"
	"dambase/engine"

	"github.com/spf13/cobra"
)

func (a *app) variantsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "variants [NAME]",
		Short: "Print the variants and their parameters",
		Args:  cobra.MaximumNArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return a.variants(args) },
	}
}

// variantLine is a variant in JSON.
type variantLine struct {
	engine.Variant
	RulesHash string `json:"rules_hash"`
}

func (a *app) variants(args []string) error {
	list := engine.BuiltinVariants()
	if len(args) == 1 {
		v, err := cli.Variant(args[0])
		if err != nil {
			return err
		}
		list = []engine.Variant{v}
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	if !a.json {
		fmt.Fprintln(w, "variant\tboard\tfirst\tmen capture\tking\tlanding\tchoice\tlifting\tpromotion\tdraw rules")
	}
	for _, v := range list {
		if a.json {
			if err := a.printJSON(variantLine{v, v.Hash()}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(w, "%s\t%dx%d %s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", v.Name, v.Rows, v.Columns, v.Squares, v.First,
			v.MenCapture, v.King, v.Landing, choiceText(v), v.Lifting, v.Promotion, drawText(v))
	}
	return w.Flush()
}

func choiceText(v engine.Variant) string {
	if len(v.Choice) == 0 {
		return "free"
	}
	return strings.Join(v.Choice, ", ")
}

func drawText(v engine.Variant) string {
	var out []string
	for _, d := range v.Draws {
		text := string(d.Kind)
		if d.Name != "" {
			text = d.Name
		}
		text += fmt.Sprintf(" %d", d.Limit)
		if d.Claim {
			text += " (claim)"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}
