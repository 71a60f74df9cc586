package camillo

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

const (
	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
	// A call without a deadline waits no longer than this for a server that asks for it; its caller may.
	longestAsked = time.Minute
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

// goOn waits before a stream is begun anew; it is the failure itself if it is one too many, or if the server asks for too
// long a pause.
func (s *shared) goOn(ctx context.Context, broken error, failures, mostFailures int) error {
	asked, _ := retryAfter(broken)
	if failures > mostFailures || asked > longestAsked || !isBreak(broken) {
		return broken
	}
	return s.wait(ctx, pauseAfter(failures, broken))
}

// isBreak tells what a stream can be gone on with after.
func isBreak(err error) bool {
	return errors.Is(err, Unavailable) || errors.Is(err, Overloaded) || errors.Is(err, UploadOffsetMismatch)
}

// wait pauses between two attempts; where the caller gives up or the client is closed meanwhile, that is the error.
func (s *shared) wait(ctx context.Context, length time.Duration) error {
	waiting, cancel := context.WithCancel(ctx)
	defer s.orClosed(cancel)()
	if err := s.pause(waiting, length); err != nil {
		return s.failure(ctx, err)
	}
	return nil
}

// orClosed lets a context end with the client, too, until what is returned is called in place of its cancel.
func (s *shared) orClosed(cancel context.CancelFunc) context.CancelFunc {
	leave := context.AfterFunc(s.closed, cancel)
	return func() {
		leave()
		cancel()
	}
}

func (s *shared) isClosed() bool {
	return s.closed.Err() != nil
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
