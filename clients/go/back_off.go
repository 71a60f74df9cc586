package camillo

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
	// So many doublings reach longestPause.
	maxDoublings = 6
)

// pauseAfter is what the server asked for, else twice as long after each failure; spread so that clients do not return
// as one.
func pauseAfter(failures int, err error) time.Duration {
	if asked, told := retryAfter(err); told {
		return asked
	}
	longest := min(longestPause, firstPause<<min(failures-1, maxDoublings))
	return time.Duration(float64(longest) * (0.5 + rand.Float64()/2))
}

// pause waits, and ends early with the context's error.
func pause(ctx context.Context, length time.Duration) error {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
