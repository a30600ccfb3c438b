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
	var asTOML, markdown bool
	cmd := &cobra.Command{
		Use:   "variants [NAME]",
		Short: "Print the variants and their parameters",
		Long: "variants prints the variants and their parameters, or those of one. With --toml it\n" +
			"prints a variant as a rule file to start from, which must get another name.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && a.variant != "" && a.variant != "all" {
				args = strings.Split(a.variant, ",")
			}
			switch {
			case asTOML:
				return a.variantFile(args)
			case markdown:
				_, err := a.out.WriteString(markdownTable())
				return err
			}
			return a.variants(args)
		},
	}
	cmd.Flags().BoolVar(&asTOML, "toml", false, "print the variant as a rule file to start from")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print the table of docs/rules.md")
	return cmd
}

// variantFile prints a variant as a rule file.
func (a *app) variantFile(args []string) error {
	if len(args) != 1 {
		return cli.Usagef("--toml wants the name of one variant")
	}
	v, err := cli.Variant(args[0])
	if err != nil {
		return err
	}
	text, err := engine.FormatRuleFile(v)
	if err != nil {
		return err
	}
	_, err = a.out.Write(text)
	return err
}

// markdownTable is the table of docs/rules.md: every variant's parameters.
// Optional variants have those of their base.
func markdownTable() string {
	var b strings.Builder
	b.WriteString("| variant | board | lines | first | men | men move | men capture | men take kings | king | landing | choice | lifting | 180° turn | promotion | notation | draw rules |\n")
	b.WriteString("|" + strings.Repeat("---|", 16) + "\n")
	yes := map[bool]string{true: "yes", false: "no"}
	for _, v := range engine.BuiltinVariants() {
		if v.Capture == "optional" {
			continue
		}
		men := engine.MustCompile(v).Start()
		fmt.Fprintf(&b, "| %s | %dx%d %s | %s | %s | %d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
			v.Name, v.Rows, v.Columns, v.Squares, v.Lines, v.First, men.Men[0].Count(), v.MenMove, v.MenCapture, yes[v.MenTakeKings],
			v.King, v.Landing, choiceText(v), v.Lifting, yes[v.TurnBack], v.Promotion, notationText(v), drawText(v))
	}
	return b.String()
}

func notationText(v engine.Variant) string {
	if v.Notation == "algebraic" {
		return "algebraic"
	}
	return "numbers, 1 at the " + strings.Replace(v.Numbering, "-", " ", 1)
}

// variantLine is a variant in JSON.
type variantLine struct {
	engine.Variant
	RulesHash string `json:"rules_hash"`
}

func (a *app) variants(args []string) error {
	list := engine.BuiltinVariants()
	if len(args) > 0 {
		list = nil
	}
	for _, name := range args {
		v, err := cli.Variant(name)
		if err != nil {
			return err
		}
		list = append(list, v)
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
