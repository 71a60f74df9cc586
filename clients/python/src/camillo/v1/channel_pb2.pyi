from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Channel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHANNEL_UNSPECIFIED: _ClassVar[Channel]
    CHANNEL_PUBLIC: _ClassVar[Channel]
    CHANNEL_PRIVATE: _ClassVar[Channel]
    CHANNEL_TEAM: _ClassVar[Channel]
    CHANNEL_AGENT: _ClassVar[Channel]
CHANNEL_UNSPECIFIED: Channel
CHANNEL_PUBLIC: Channel
CHANNEL_PRIVATE: Channel
CHANNEL_TEAM: Channel
CHANNEL_AGENT: Channel
