"""The settings that Camillo starts its Postgres with. They win over anything in the cluster's own files."""

from pathlib import Path

from camillo_server.storage.embedded.directory import PORT


def server_settings(
    identity: str, sockets: Path, *, shared_buffers_mb: int, max_connections: int, durable: bool
) -> dict[str, str]:
    """Name to value, for the postmaster's command line."""
    quoted_sockets = '"' + str(sockets).replace('"', '""') + '"'  # the setting is a list
    return {
        "cluster_name": identity,  # in each process title: how a left-over process is recognised
        "listen_addresses": "",  # nothing on the network
        "port": str(PORT),
        "unix_socket_directories": quoted_sockets,
        "unix_socket_permissions": "0700",
        "timezone": "UTC",  # not the machine's
        "shared_buffers": f"{shared_buffers_mb}MB",
        "max_connections": str(max_connections),
        "maintenance_work_mem": "256MB",  # an HNSW index is built several times slower if it does not fit
        "autovacuum_work_mem": "64MB",  # else each of three workers may take the above
        "random_page_cost": "1.1",  # the data is in memory or on an SSD
        "jit": "off",  # compiling costs more than our short queries
        "max_parallel_workers_per_gather": "0",  # likewise starting workers; the cores serve other callers
        # A parallel HNSW build shares its memory through /dev/shm, of which a container has 64 MB.
        "max_parallel_maintenance_workers": "0",
        **LOGGING,
        **(DURABLE if durable else VOLATILE),
    }


# A statement, its parameters, and the detail of an error carry users' texts, and so may an error's
# message (`invalid input syntax ...`). Errors go to the client alone; the log has the server's own life.
LOGGING = {
    "logging_collector": "off",  # stderr is the log file already
    "log_timezone": "UTC",
    "log_min_messages": "log",  # neither warnings nor errors of sessions; `fatal` and `panic` stay
    "log_error_verbosity": "terse",  # no detail, such as the values that broke a constraint
    "log_min_error_statement": "panic",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
}

# The defaults, said aloud: what is acknowledged is on disk.
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}

# For tests only: a power cut destroys the cluster.
VOLATILE = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
}
