import datetime

from camillo.v1 import admin_pb2 as _admin_pb2
from camillo.v1 import channel_pb2 as _channel_pb2
from camillo.v1 import lifecycle_pb2 as _lifecycle_pb2
from camillo.v1 import memory_pb2 as _memory_pb2
from camillo.v1 import options_pb2 as _options_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProfileFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROFILE_FORMAT_UNSPECIFIED: _ClassVar[ProfileFormat]
    PROFILE_FORMAT_FLAMEGRAPH: _ClassVar[ProfileFormat]
    PROFILE_FORMAT_RAW: _ClassVar[ProfileFormat]
    PROFILE_FORMAT_SPEEDSCOPE: _ClassVar[ProfileFormat]
PROFILE_FORMAT_UNSPECIFIED: ProfileFormat
PROFILE_FORMAT_FLAMEGRAPH: ProfileFormat
PROFILE_FORMAT_RAW: ProfileFormat
PROFILE_FORMAT_SPEEDSCOPE: ProfileFormat

class WhoAmIRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class WhoAmIResponse(_message.Message):
    __slots__ = ("tenant_id", "agent_id", "any_agent", "role", "server_version", "model_id", "model_dimensions", "channel", "max_sensitivity", "actors", "document_categories", "spaces")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ANY_AGENT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    SERVER_VERSION_FIELD_NUMBER: _ClassVar[int]
    MODEL_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_DIMENSIONS_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    MAX_SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    ACTORS_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    agent_id: str
    any_agent: bool
    role: _admin_pb2.Role
    server_version: str
    model_id: str
    model_dimensions: int
    channel: _channel_pb2.Channel
    max_sensitivity: _memory_pb2.Sensitivity
    actors: _containers.RepeatedScalarFieldContainer[str]
    document_categories: _containers.RepeatedScalarFieldContainer[str]
    spaces: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tenant_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., any_agent: _Optional[bool] = ..., role: _Optional[_Union[_admin_pb2.Role, str]] = ..., server_version: _Optional[str] = ..., model_id: _Optional[str] = ..., model_dimensions: _Optional[int] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., max_sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., actors: _Optional[_Iterable[str]] = ..., document_categories: _Optional[_Iterable[str]] = ..., spaces: _Optional[_Iterable[str]] = ...) -> None: ...

class CreateTenantRequest(_message.Message):
    __slots__ = ("request_id", "tenant_id", "display_name")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tenant_id: str
    display_name: str
    def __init__(self, request_id: _Optional[str] = ..., tenant_id: _Optional[str] = ..., display_name: _Optional[str] = ...) -> None: ...

class CreateTenantResponse(_message.Message):
    __slots__ = ("tenant",)
    TENANT_FIELD_NUMBER: _ClassVar[int]
    tenant: _admin_pb2.Tenant
    def __init__(self, tenant: _Optional[_Union[_admin_pb2.Tenant, _Mapping]] = ...) -> None: ...

class ListTenantsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTenantsResponse(_message.Message):
    __slots__ = ("tenants", "next_page_token")
    TENANTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tenants: _containers.RepeatedCompositeFieldContainer[_admin_pb2.Tenant]
    next_page_token: str
    def __init__(self, tenants: _Optional[_Iterable[_Union[_admin_pb2.Tenant, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteTenantRequest(_message.Message):
    __slots__ = ("request_id", "tenant_id", "confirm_tenant_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tenant_id: str
    confirm_tenant_id: str
    def __init__(self, request_id: _Optional[str] = ..., tenant_id: _Optional[str] = ..., confirm_tenant_id: _Optional[str] = ...) -> None: ...

class DeleteTenantResponse(_message.Message):
    __slots__ = ("forgotten_memories",)
    FORGOTTEN_MEMORIES_FIELD_NUMBER: _ClassVar[int]
    forgotten_memories: int
    def __init__(self, forgotten_memories: _Optional[int] = ...) -> None: ...

class GetQuotasRequest(_message.Message):
    __slots__ = ("tenant_id",)
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    def __init__(self, tenant_id: _Optional[str] = ...) -> None: ...

class GetQuotasResponse(_message.Message):
    __slots__ = ("quotas",)
    QUOTAS_FIELD_NUMBER: _ClassVar[int]
    quotas: _containers.RepeatedCompositeFieldContainer[_admin_pb2.Quota]
    def __init__(self, quotas: _Optional[_Iterable[_Union[_admin_pb2.Quota, _Mapping]]] = ...) -> None: ...

class SetQuotasRequest(_message.Message):
    __slots__ = ("request_id", "tenant_id", "limits", "reset")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tenant_id: str
    limits: _containers.RepeatedCompositeFieldContainer[_admin_pb2.Quota]
    reset: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., tenant_id: _Optional[str] = ..., limits: _Optional[_Iterable[_Union[_admin_pb2.Quota, _Mapping]]] = ..., reset: _Optional[_Iterable[str]] = ...) -> None: ...

class SetQuotasResponse(_message.Message):
    __slots__ = ("quotas",)
    QUOTAS_FIELD_NUMBER: _ClassVar[int]
    quotas: _containers.RepeatedCompositeFieldContainer[_admin_pb2.Quota]
    def __init__(self, quotas: _Optional[_Iterable[_Union[_admin_pb2.Quota, _Mapping]]] = ...) -> None: ...

class CreateAgentRequest(_message.Message):
    __slots__ = ("request_id", "tenant_id", "agent_id", "display_name")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tenant_id: str
    agent_id: str
    display_name: str
    def __init__(self, request_id: _Optional[str] = ..., tenant_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., display_name: _Optional[str] = ...) -> None: ...

class CreateAgentResponse(_message.Message):
    __slots__ = ("agent",)
    AGENT_FIELD_NUMBER: _ClassVar[int]
    agent: _admin_pb2.Agent
    def __init__(self, agent: _Optional[_Union[_admin_pb2.Agent, _Mapping]] = ...) -> None: ...

class ListAgentsRequest(_message.Message):
    __slots__ = ("tenant_id", "page_size", "page_token")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    page_size: int
    page_token: str
    def __init__(self, tenant_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAgentsResponse(_message.Message):
    __slots__ = ("agents", "next_page_token")
    AGENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    agents: _containers.RepeatedCompositeFieldContainer[_admin_pb2.Agent]
    next_page_token: str
    def __init__(self, agents: _Optional[_Iterable[_Union[_admin_pb2.Agent, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteAgentRequest(_message.Message):
    __slots__ = ("request_id", "tenant_id", "agent_id", "confirm_agent_id", "dry_run", "block_values")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    BLOCK_VALUES_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tenant_id: str
    agent_id: str
    confirm_agent_id: str
    dry_run: bool
    block_values: bool
    def __init__(self, request_id: _Optional[str] = ..., tenant_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., confirm_agent_id: _Optional[str] = ..., dry_run: _Optional[bool] = ..., block_values: _Optional[bool] = ...) -> None: ...

class DeleteAgentResponse(_message.Message):
    __slots__ = ("forgotten_memories", "receipt")
    FORGOTTEN_MEMORIES_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    forgotten_memories: int
    receipt: _lifecycle_pb2.Receipt
    def __init__(self, forgotten_memories: _Optional[int] = ..., receipt: _Optional[_Union[_lifecycle_pb2.Receipt, _Mapping]] = ...) -> None: ...

class CreateKeyRequest(_message.Message):
    __slots__ = ("request_id", "tenant_id", "agent_id", "any_agent", "role", "description", "lifetime", "channel", "max_sensitivity", "actors", "document_categories", "spaces")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_ID_FIELD_NUMBER: _ClassVar[int]
    ANY_AGENT_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    MAX_SENSITIVITY_FIELD_NUMBER: _ClassVar[int]
    ACTORS_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    SPACES_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tenant_id: str
    agent_id: str
    any_agent: bool
    role: _admin_pb2.Role
    description: str
    lifetime: _duration_pb2.Duration
    channel: _channel_pb2.Channel
    max_sensitivity: _memory_pb2.Sensitivity
    actors: _containers.RepeatedScalarFieldContainer[str]
    document_categories: _containers.RepeatedScalarFieldContainer[str]
    spaces: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., tenant_id: _Optional[str] = ..., agent_id: _Optional[str] = ..., any_agent: _Optional[bool] = ..., role: _Optional[_Union[_admin_pb2.Role, str]] = ..., description: _Optional[str] = ..., lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., channel: _Optional[_Union[_channel_pb2.Channel, str]] = ..., max_sensitivity: _Optional[_Union[_memory_pb2.Sensitivity, str]] = ..., actors: _Optional[_Iterable[str]] = ..., document_categories: _Optional[_Iterable[str]] = ..., spaces: _Optional[_Iterable[str]] = ...) -> None: ...

class CreateKeyResponse(_message.Message):
    __slots__ = ("key", "secret")
    KEY_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    key: _admin_pb2.ApiKey
    secret: str
    def __init__(self, key: _Optional[_Union[_admin_pb2.ApiKey, _Mapping]] = ..., secret: _Optional[str] = ...) -> None: ...

class ListKeysRequest(_message.Message):
    __slots__ = ("tenant_id", "page_size", "page_token")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    page_size: int
    page_token: str
    def __init__(self, tenant_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListKeysResponse(_message.Message):
    __slots__ = ("keys", "next_page_token")
    KEYS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    keys: _containers.RepeatedCompositeFieldContainer[_admin_pb2.ApiKey]
    next_page_token: str
    def __init__(self, keys: _Optional[_Iterable[_Union[_admin_pb2.ApiKey, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RevokeKeyRequest(_message.Message):
    __slots__ = ("request_id", "tenant_id", "key_id", "with_created_keys")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    WITH_CREATED_KEYS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    tenant_id: str
    key_id: str
    with_created_keys: bool
    def __init__(self, request_id: _Optional[str] = ..., tenant_id: _Optional[str] = ..., key_id: _Optional[str] = ..., with_created_keys: _Optional[bool] = ...) -> None: ...

class RevokeKeyResponse(_message.Message):
    __slots__ = ("key", "revoked_created_keys")
    KEY_FIELD_NUMBER: _ClassVar[int]
    REVOKED_CREATED_KEYS_FIELD_NUMBER: _ClassVar[int]
    key: _admin_pb2.ApiKey
    revoked_created_keys: int
    def __init__(self, key: _Optional[_Union[_admin_pb2.ApiKey, _Mapping]] = ..., revoked_created_keys: _Optional[int] = ...) -> None: ...

class ListIndexesRequest(_message.Message):
    __slots__ = ("tenant_id", "compare", "page_size", "page_token")
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    COMPARE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tenant_id: str
    compare: bool
    page_size: int
    page_token: str
    def __init__(self, tenant_id: _Optional[str] = ..., compare: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListIndexesResponse(_message.Message):
    __slots__ = ("indexes", "next_page_token")
    INDEXES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    indexes: _containers.RepeatedCompositeFieldContainer[_admin_pb2.HeldIndex]
    next_page_token: str
    def __init__(self, indexes: _Optional[_Iterable[_Union[_admin_pb2.HeldIndex, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ProfileServerRequest(_message.Message):
    __slots__ = ("seconds", "samples_per_second", "format")
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    seconds: int
    samples_per_second: int
    format: ProfileFormat
    def __init__(self, seconds: _Optional[int] = ..., samples_per_second: _Optional[int] = ..., format: _Optional[_Union[ProfileFormat, str]] = ...) -> None: ...

class ProfileServerResponse(_message.Message):
    __slots__ = ("profile", "process_id")
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    PROCESS_ID_FIELD_NUMBER: _ClassVar[int]
    profile: bytes
    process_id: int
    def __init__(self, profile: _Optional[bytes] = ..., process_id: _Optional[int] = ...) -> None: ...
