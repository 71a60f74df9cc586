from camillo.v1 import admin_pb2 as _admin_pb2
from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Secrets(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SECRETS_UNSPECIFIED: _ClassVar[Secrets]
    SECRETS_REFUSED: _ClassVar[Secrets]
    SECRETS_REDACTED: _ClassVar[Secrets]
    SECRETS_REDACTED_AS_JSON: _ClassVar[Secrets]
    SECRETS_COMPARED: _ClassVar[Secrets]

class CallAudit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CALL_AUDIT_UNSPECIFIED: _ClassVar[CallAudit]
    CALL_AUDIT_ON_REQUEST: _ClassVar[CallAudit]
    CALL_AUDIT_ALWAYS: _ClassVar[CallAudit]
    CALL_AUDIT_EXPORT: _ClassVar[CallAudit]

class Form(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FORM_UNSPECIFIED: _ClassVar[Form]
    FORM_UUID: _ClassVar[Form]
    FORM_NAME: _ClassVar[Form]
    FORM_SHORT_NAME: _ClassVar[Form]
    FORM_AGENT: _ClassVar[Form]
    FORM_OWNER: _ClassVar[Form]
    FORM_GRANT: _ClassVar[Form]
SECRETS_UNSPECIFIED: Secrets
SECRETS_REFUSED: Secrets
SECRETS_REDACTED: Secrets
SECRETS_REDACTED_AS_JSON: Secrets
SECRETS_COMPARED: Secrets
CALL_AUDIT_UNSPECIFIED: CallAudit
CALL_AUDIT_ON_REQUEST: CallAudit
CALL_AUDIT_ALWAYS: CallAudit
CALL_AUDIT_EXPORT: CallAudit
FORM_UNSPECIFIED: Form
FORM_UUID: Form
FORM_NAME: Form
FORM_SHORT_NAME: Form
FORM_AGENT: Form
FORM_OWNER: Form
FORM_GRANT: Form
LIMIT_FIELD_NUMBER: _ClassVar[int]
limit: _descriptor.FieldDescriptor
SECRETS_FIELD_NUMBER: _ClassVar[int]
secrets: _descriptor.FieldDescriptor
PERMISSION_FIELD_NUMBER: _ClassVar[int]
permission: _descriptor.FieldDescriptor
ADDS_FIELD_NUMBER: _ClassVar[int]
adds: _descriptor.FieldDescriptor
ENDLESS_FIELD_NUMBER: _ClassVar[int]
endless: _descriptor.FieldDescriptor
RETURNS_NO_CONTENT_FIELD_NUMBER: _ClassVar[int]
returns_no_content: _descriptor.FieldDescriptor
READS_BY_FILTER_FIELD_NUMBER: _ClassVar[int]
reads_by_filter: _descriptor.FieldDescriptor
AUDIT_FIELD_NUMBER: _ClassVar[int]
audit: _descriptor.FieldDescriptor
PATTERN_FIELD_NUMBER: _ClassVar[int]
pattern: _descriptor.FieldDescriptor

class Limit(_message.Message):
    __slots__ = ("required", "characters", "visible", "bytes", "items", "integer", "number", "zero_means", "form", "json", "mask", "rule")
    class Range(_message.Message):
        __slots__ = ("min", "max")
        MIN_FIELD_NUMBER: _ClassVar[int]
        MAX_FIELD_NUMBER: _ClassVar[int]
        min: int
        max: int
        def __init__(self, min: _Optional[int] = ..., max: _Optional[int] = ...) -> None: ...
    class Numbers(_message.Message):
        __slots__ = ("min", "max")
        MIN_FIELD_NUMBER: _ClassVar[int]
        MAX_FIELD_NUMBER: _ClassVar[int]
        min: float
        max: float
        def __init__(self, min: _Optional[float] = ..., max: _Optional[float] = ...) -> None: ...
    class Items(_message.Message):
        __slots__ = ("min", "max", "max_sent", "fail_alone")
        MIN_FIELD_NUMBER: _ClassVar[int]
        MAX_FIELD_NUMBER: _ClassVar[int]
        MAX_SENT_FIELD_NUMBER: _ClassVar[int]
        FAIL_ALONE_FIELD_NUMBER: _ClassVar[int]
        min: int
        max: int
        max_sent: int
        fail_alone: bool
        def __init__(self, min: _Optional[int] = ..., max: _Optional[int] = ..., max_sent: _Optional[int] = ..., fail_alone: _Optional[bool] = ...) -> None: ...
    class Json(_message.Message):
        __slots__ = ("max_levels", "max_keys", "key_characters")
        MAX_LEVELS_FIELD_NUMBER: _ClassVar[int]
        MAX_KEYS_FIELD_NUMBER: _ClassVar[int]
        KEY_CHARACTERS_FIELD_NUMBER: _ClassVar[int]
        max_levels: int
        max_keys: int
        key_characters: Limit.Range
        def __init__(self, max_levels: _Optional[int] = ..., max_keys: _Optional[int] = ..., key_characters: _Optional[_Union[Limit.Range, _Mapping]] = ...) -> None: ...
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    CHARACTERS_FIELD_NUMBER: _ClassVar[int]
    VISIBLE_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    INTEGER_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ZERO_MEANS_FIELD_NUMBER: _ClassVar[int]
    FORM_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    MASK_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    required: bool
    characters: Limit.Range
    visible: bool
    bytes: Limit.Range
    items: Limit.Items
    integer: Limit.Range
    number: Limit.Numbers
    zero_means: int
    form: Form
    json: Limit.Json
    mask: str
    rule: str
    def __init__(self, required: _Optional[bool] = ..., characters: _Optional[_Union[Limit.Range, _Mapping]] = ..., visible: _Optional[bool] = ..., bytes: _Optional[_Union[Limit.Range, _Mapping]] = ..., items: _Optional[_Union[Limit.Items, _Mapping]] = ..., integer: _Optional[_Union[Limit.Range, _Mapping]] = ..., number: _Optional[_Union[Limit.Numbers, _Mapping]] = ..., zero_means: _Optional[int] = ..., form: _Optional[_Union[Form, str]] = ..., json: _Optional[_Union[Limit.Json, _Mapping]] = ..., mask: _Optional[str] = ..., rule: _Optional[str] = ...) -> None: ...

class Added(_message.Message):
    __slots__ = ("rows", "per", "unless", "bytes")
    ROWS_FIELD_NUMBER: _ClassVar[int]
    PER_FIELD_NUMBER: _ClassVar[int]
    UNLESS_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    rows: str
    per: str
    unless: str
    bytes: bool
    def __init__(self, rows: _Optional[str] = ..., per: _Optional[str] = ..., unless: _Optional[str] = ..., bytes: _Optional[bool] = ...) -> None: ...

class Pattern(_message.Message):
    __slots__ = ("regex", "rule")
    REGEX_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    regex: str
    rule: str
    def __init__(self, regex: _Optional[str] = ..., rule: _Optional[str] = ...) -> None: ...
