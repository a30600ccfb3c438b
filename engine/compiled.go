package engine

// The compiled rules, for programs that generate moves in bulk.

// Directions is the number of ways along the lines of a board; those of number
// d and d^2 are opposite.
const Directions = directions

// Next returns the square beside s in a direction, or NoSquare.
func (r *Rules) Next(s Square, d Direction) Square { return r.geometry.next[d][s] }

// ManStepDirections returns the directions of the quiet moves of a side's men.
// The caller must not change them.
func (r *Rules) ManStepDirections(c Color) []Direction { return r.manSteps[c] }

// ManCaptureDirections returns the directions in which a side's men capture.
// The caller must not change them.
func (r *Rules) ManCaptureDirections(c Color) []Direction { return r.manCaptures[c] }

// Crown returns the row on which the men of a side are crowned.
func (r *Rules) Crown(c Color) Bits { return r.crown[c] }

// Flying reports whether kings move along whole lines.
func (r *Rules) Flying() bool { return r.flying }

// Landing returns where a capturing king may land.
func (r *Rules) Landing() Landing { return r.landing }

// Choice returns the criteria that decide among captures, in their order; the
// caller must not change them.
func (r *Rules) Choice() []Criterion { return r.choice }

// LiftsAtOnce reports whether captured pieces leave the board during a capture.
func (r *Rules) LiftsAtOnce() bool { return r.liftNow }

// TurnsBack reports whether a capture may turn by 180 degrees.
func (r *Rules) TurnsBack() bool { return r.turnBack }

// PromotesInPassing reports whether a man that reaches the last row in
// mid-capture goes on as a king.
func (r *Rules) PromotesInPassing() bool { return r.passing }

// MenTakeKings reports whether a man may take a king.
func (r *Rules) MenTakeKings() bool { return r.menTakeKings }
