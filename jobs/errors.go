package jobs

import "fmt"

// A ConfigError is about what the user asked for, not about the content of a data file:
// an unknown name, a setting out of range, a dataset that is not where it should be.
type ConfigError struct{ Err error }

func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *ConfigError) Unwrap() error { return e.Err }

// Configf makes a ConfigError as fmt.Errorf makes an error.
func Configf(format string, args ...any) error {
	return &ConfigError{fmt.Errorf(format, args...)}
}
