"""Events in the shapes that producers send, small and made by hand."""

from __future__ import annotations

import copy
from typing import Any

GLUE_RUN = "jr_" + "0123456789abcdef" * 4
AT_NINE = "2026-01-31T09:00:00Z"
GLUE: dict[str, Any] = {
    "eventType": "COMPLETE",
    "eventTime": "2026-01-31T10:00:00.123456789+01:00",
    "producer": "https://example.org/spark",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    "run": {
        "runId": "01920000-0000-7000-8000-000000000002",
        "facets": {
            "parent": {
                "run": {"runId": "01920000-0000-7000-8000-000000000001"},
                "job": {"namespace": "default", "name": f"nativespark-load-{GLUE_RUN}"},
            },
            "spark_properties": {"properties": {"spark.master": "yarn"}},
            "environment-properties": {"environment-properties": {"GLUE_VERSION": "5.0"}},
        },
    },
    "job": {
        "namespace": "default",
        "name": "load.execute_create_data_source_table_as_select_command.mart_attendance",
        "facets": {"jobType": {"processingType": "BATCH", "integration": "SPARK", "jobType": "SQL_JOB"}},
    },
    "inputs": [
        {
            "namespace": "mysql://db.example:3306",
            "name": "shop.employee",
            "facets": {
                "schema": {"fields": [{"name": "ID", "type": "integer"}, {"name": "Name"}]},
                "dataSource": {"name": "mysql://db.example:3306", "uri": "mysql://db.example:3306"},
            },
            "inputFacets": {"inputStatistics": {"rowCount": 7, "size": 0}},
        },
        {"namespace": "s3://lake", "name": "csv/attendance.csv"},
    ],
    "outputs": [
        {
            "namespace": "s3://lake",
            "name": "attendance",
            "facets": {
                "schema": {
                    "fields": [
                        {"name": "id", "type": "integer"},
                        {
                            "name": "at",
                            "type": "struct",
                            "fields": [
                                {"name": "day", "type": "date"},
                                {"name": "place", "type": "struct", "fields": [{"name": "city"}]},
                            ],
                        },
                        {"name": "note", "type": "string", "ordinal_position": 3},
                    ]
                },
                "columnLineage": {
                    "fields": {
                        "id": {
                            "inputFields": [
                                {
                                    "namespace": "mysql://db.example:3306",
                                    "name": "shop.employee",
                                    "field": "ID",
                                    "transformations": [{"type": "DIRECT", "subtype": "IDENTITY"}],
                                }
                            ]
                        }
                    }
                },
                "lifecycleStateChange": {"lifecycleStateChange": "OVERWRITE"},
                "datasetType": {"datasetType": "TABLE", "subType": "EXTERNAL"},
                "symlinks": {
                    "identifiers": [
                        {
                            "namespace": "arn:aws:glue:eu-west-1:123456789012",
                            "name": "table/mart/attendance",
                            "type": "TABLE",
                        }
                    ]
                },
            },
            "outputFacets": {"outputStatistics": {"rowCount": 5, "size": 2048.0, "fileCount": 1}},
        },
        {"namespace": "s3://lake", "name": "rejected"},
    ],
}
AIRFLOW: dict[str, Any] = {
    "eventType": "START",
    "eventTime": "2026-01-31T09:00:00.5Z",
    "run": {
        "runId": "r2",
        "facets": {
            "parent": {
                "run": {"runId": "r1"},
                "job": {"namespace": "airflow", "name": "daily"},
                "root": {"run": {"runId": "r0"}, "job": {"namespace": "airflow", "name": "nightly"}},
            },
            "airflow": {"dag": {"dag_id": "daily"}},
        },
    },
    "job": {"namespace": "airflow", "name": "daily.load"},
}
DBT_VIEW: dict[str, Any] = {
    "eventTime": AT_NINE,
    "producer": "https://example.org/dbt",
    "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/DatasetEvent",
    "dataset": {
        "namespace": "redshift://sales.example:5439",
        "name": "dev.mart.v",
        "facets": {
            "datasetType": {"datasetType": "VIEW"},
            "lifecycleStateChange": {
                "lifecycleStateChange": "RENAME",
                "previousIdentifier": {"namespace": "redshift://sales.example:5439", "name": "dev.mart.old"},
            },
        },
    },
}
JOB: dict[str, Any] = {"eventTime": AT_NINE, "job": {"namespace": "default", "name": "load"}}


def changed(raw: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The event with another value at a place such as `outputs/0/name`."""
    event = copy.deepcopy(raw)
    *above, last = (int(key) if key.isdigit() else key for key in path.split("/"))
    holder: Any = event
    for key in above:
        holder = holder[key]
    holder[last] = value
    return event
