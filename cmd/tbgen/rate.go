package main

import (
	"fmt"
	"time"
)

// rateText tells how far a build is: solved counts all positions done, skipped
// those of them that were finished before it started.
func rateText(solved, skipped, total uint64, seconds float64) string {
	share := 100 * float64(solved) / float64(max(total, 1))
	worked := float64(solved - min(skipped, solved))
	if worked == 0 || seconds <= 0 {
		return fmt.Sprintf("%.1f %%", share)
	}
	speed := worked / seconds
	left := time.Duration(float64(total-min(solved, total)) / speed * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%.1f %%, %.2f M positions/s, %v left", share, speed/1e6, left)
}
