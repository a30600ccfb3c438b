package engine

// A Variant is a set of rules as data. The zero value is not valid; start from
// a built-in one. Every word a field accepts is listed in its comment, which a
// rule file shows too, and Compile refuses all others.
type Variant struct {
	Name string `toml:"name" json:"name" comment:"lower-case letters, digits and hyphens"`

	Rows    int    `toml:"rows" json:"rows" comment:"even, from 4 to 16"`
	Columns int    `toml:"columns" json:"columns" comment:"even, from 4 to 16; at most 64 squares are played on"`
	Squares string `toml:"squares" json:"squares" comment:"dark (a1 is played on), mirrored, all"`
	Lines   string `toml:"lines" json:"lines" comment:"diagonal, orthogonal"`

	First     string `toml:"first" json:"first" comment:"who begins a game: white, black"`
	StartRows int    `toml:"start_rows" json:"start_rows" comment:"rows of men of each side"`
	StartGap  int    `toml:"start_gap" json:"start_gap" comment:"empty rows behind them"`

	MenMove      string   `toml:"men_move" json:"men_move" comment:"forward, forward-sideways (orthogonal lines)"`
	MenCapture   string   `toml:"men_capture" json:"men_capture" comment:"forward, forward-backward (diagonal lines), forward-sideways, all (orthogonal lines)"`
	MenTakeKings bool     `toml:"men_take_kings" json:"men_take_kings" comment:"whether a man may take a king"`
	King         string   `toml:"king" json:"king" comment:"short, flying"`
	Landing      string   `toml:"landing" json:"landing" comment:"of a capturing king: any, behind (the only one of a short king), behind-king (right behind a king taken last), go-on (where the capture goes on)"`
	Capture      string   `toml:"capture" json:"capture" comment:"compulsory, optional"`
	Choice       []string `toml:"choice" json:"choice" comment:"what decides among captures, in this order: most-pieces, king-captures, most-kings, kings-earliest"`
	Lifting      string   `toml:"lifting" json:"lifting" comment:"when captured pieces leave the board: end, now"`
	TurnBack     bool     `toml:"turn_back" json:"turn_back" comment:"whether a capture may turn by 180 degrees"`
	Promotion    string   `toml:"promotion" json:"promotion" comment:"of a man that reaches the last row in mid-capture: end (only if it stops there), passing"`

	Notation    string `toml:"notation" json:"notation" comment:"numbers, algebraic"`
	Numbering   string `toml:"numbering" json:"numbering" comment:"where number 1 is: top-left, bottom-right"`
	CaptureSign string `toml:"capture_sign" json:"capture_sign" comment:"x, :"`
	GameType    int    `toml:"game_type" json:"game_type" comment:"of PDN; 0 where there is none"`

	Draws []DrawRule `toml:"draw" json:"draws" comment:"kind king-moves, situation, game-length or repetition; limit in plies, or occurrences; claim; of a situation name, when (as KKM v K) and lone_king_on (as a1)"`
}
