package camillo

import camillov1 "camillo.dev/camillo/v1"

// Short names of what a memory is about.
const (
	Fact         = camillov1.MemoryKind_MEMORY_KIND_FACT
	Preference   = camillov1.MemoryKind_MEMORY_KIND_PREFERENCE
	Conversation = camillov1.MemoryKind_MEMORY_KIND_CONVERSATION
	TaskOutcome  = camillov1.MemoryKind_MEMORY_KIND_TASK_OUTCOME
	Decision     = camillov1.MemoryKind_MEMORY_KIND_DECISION
	ErrorMemory  = camillov1.MemoryKind_MEMORY_KIND_ERROR
	Instruction  = camillov1.MemoryKind_MEMORY_KIND_INSTRUCTION
	Summary      = camillov1.MemoryKind_MEMORY_KIND_SUMMARY
)

// Short names of who may be shown a text.
const (
	Public       = camillov1.Sensitivity_SENSITIVITY_PUBLIC
	Internal     = camillov1.Sensitivity_SENSITIVITY_INTERNAL
	Confidential = camillov1.Sensitivity_SENSITIVITY_CONFIDENTIAL
	Restricted   = camillov1.Sensitivity_SENSITIVITY_RESTRICTED
)
