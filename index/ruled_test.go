package index

import (
	"testing"

	"dambase/engine"
)

func TestRuled(t *testing.T) {
	for d := range engine.Plies(200) {
		for _, r := range []Ruled{RuledLoss(d), RuledWin(d)} {
			if r.Distance() != d || r.Before().Distance() != d+1 || r.Before() != r.Mover(d+1) {
				t.Fatalf("%d: distance %d, before %d", d, r.Distance(), r.Before().Distance())
			}
		}
		if RuledLoss(d).WLD() != Loss || RuledWin(d).WLD() != Win || RuledLoss(d).Before().WLD() != Win || RuledWin(d).Before().WLD() != Loss {
			t.Fatalf("%d: wrong results", d)
		}
		if v := Value(d + 1); RuledOf(v).WLD() != v.WLD() || RuledOf(v).Distance() != v.Distance() || RuledOf(v).Value() != v {
			t.Fatalf("value %d becomes %s %d", v, RuledOf(v).WLD(), RuledOf(v).Distance())
		}
	}
	if RuledDraw.WLD() != Draw || RuledDraw.Before() != RuledDraw || RuledOf(ValueDraw) != RuledDraw || RuledDraw.Value() != ValueDraw {
		t.Error("a draw does not stay one")
	}
	var best RuledBest
	if best.Value() != RuledLoss(0) {
		t.Errorf("without moves %d", best.Value())
	}
	for _, step := range []struct{ add, want Ruled }{
		{RuledLoss(3), RuledLoss(3)},
		{RuledLoss(5), RuledLoss(5)},
		{RuledLoss(4), RuledLoss(5)},
		{RuledDraw, RuledDraw},
		{RuledLoss(9), RuledDraw},
		{RuledWin(7), RuledWin(7)},
		{RuledWin(4), RuledWin(4)},
		{RuledDraw, RuledWin(4)},
	} {
		if best.Add(step.add); best.Value() != step.want {
			t.Errorf("after %d: %d, want %d", step.add, best.Value(), step.want)
		}
	}
}
