"""Facets of jobs, runs and datasets, but for lineage itself (`lineage_facets`).

A facet is left out where its content is not known: a consumer keeps the one it had.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from urllib.parse import quote, urlsplit

from openlineage.client.event_v2 import Job
from openlineage.client.facet_v2 import (
    DatasetFacet,
    JobFacet,
    RunFacet,
    dataset_type_dataset,
    datasource_dataset,
    external_query_run,
    extraction_error_run,
    hierarchy_dataset,
    job_type_job,
    processing_engine_run,
    schema_dataset,
    source_code_location_job,
    sql_job,
    symlinks_dataset,
)
from openlineage.client.facet_v2 import lifecycle_state_change_dataset as lifecycle

from sqllineage_svc.model.lifecycle import DatasetKind, LifecycleChange
from sqllineage_svc.model.names import Dataset, DatasetName, Location, Relation
from sqllineage_svc.model.schema import TableSchema
from sqllineage_svc.openlineage.naming import TEMPORARY, job_name, job_namespace, name_dataset, namespace_of
from sqllineage_svc.openlineage.run import StatementRun, Warehouse


@cache
def producer() -> str:
    """The URI of what makes these events: this package in its version."""
    return f"pkg:pypi/sqllineage-svc@{_own_version()}"


@cache
def _own_version() -> str:
    return version("sqllineage-svc")


def job_of(run: StatementRun, warehouse: Warehouse) -> Job:
    """The statement as a job, with its text and type; one that is only declared with its file."""
    name = warehouse.dialect.name
    facets: dict[str, JobFacet] = {
        "sql": sql_job.SQLJobFacet(query=run.text, dialect=name, producer=producer()),
        "jobType": job_type_job.JobTypeJobFacet(
            processingType="BATCH", integration=name.upper(), jobType="QUERY", producer=producer()
        ),
    }
    if run.declares and run.file not in ("", "-"):
        facets["sourceCodeLocation"] = source_code_location_job.SourceCodeLocationJobFacet(
            type="file", url=f"file:{quote(run.file)}", path=run.file, producer=producer()
        )
    return Job(job_namespace(warehouse), job_name(run, warehouse), facets)


def run_facets(run: StatementRun, warehouse: Warehouse) -> dict[str, RunFacet]:
    """Which engine ran the statement, and under which id."""
    facets: dict[str, RunFacet] = {
        "processing_engine": processing_engine_run.ProcessingEngineRunFacet(
            version=warehouse.version,
            name=warehouse.dialect.name,
            openlineageAdapterVersion=_own_version(),
            producer=producer(),
        )
    }
    if run.query_id is not None:
        facets["externalQuery"] = external_query_run.ExternalQueryRunFacet(
            externalQueryId=run.query_id, source=namespace_of(warehouse), producer=producer()
        )
    return facets


def extraction_error(run: StatementRun) -> RunFacet:
    """Why nothing is known of what the statement did."""
    errors = [
        extraction_error_run.Error(
            errorMessage=f"{issue.code} line {issue.line}: {issue.message}", task=run.text, taskNumber=0
        )
        for issue in run.lineage.issues
    ]
    return extraction_error_run.ExtractionErrorRunFacet(
        totalTasks=1, failedTasks=1, errors=errors, producer=producer()
    )


def dataset_facets(dataset: Dataset, run: StatementRun, warehouse: Warehouse) -> dict[str, DatasetFacet]:
    """What is known of a dataset whichever side of the statement it is on."""
    name = name_dataset(dataset, run, warehouse)
    kind = DatasetKind.FILE if isinstance(dataset, Location) else run.kinds.get(dataset)
    schema = run.schemas.get(dataset)
    found: dict[str, DatasetFacet | None] = {
        "dataSource": _data_source(name),
        "datasetType": _dataset_type(kind),
        "hierarchy": _hierarchy(dataset, name, kind, warehouse),
        "schema": _schema(schema) if schema is not None and schema.complete else None,
        "symlinks": _symlinks(name, warehouse),
    }
    return {key: facet for key, facet in found.items() if facet is not None}


def lifecycle_facet(change: LifecycleChange, run: StatementRun, warehouse: Warehouse) -> DatasetFacet:
    """What became of the dataset; a renamed one with its name before."""
    previous = None
    if change.previous is not None:
        namespace, name = name_dataset(change.previous, run, warehouse)
        previous = lifecycle.PreviousIdentifier(name=name, namespace=namespace)
    state = lifecycle.LifecycleStateChange(change.change.value)
    return lifecycle.LifecycleStateChangeDatasetFacet(state, previous, producer=producer())


def _data_source(name: DatasetName) -> DatasetFacet | None:
    if name.namespace == TEMPORARY:
        return None
    uri = name.namespace if "://" in name.namespace else f"{name.namespace}://"
    return datasource_dataset.DatasourceDatasetFacet(name=name.namespace, uri=uri, producer=producer())


def _dataset_type(kind: DatasetKind | None) -> DatasetFacet | None:
    if kind is None:
        return None
    return dataset_type_dataset.DatasetTypeDatasetFacet(kind.type, kind.subtype, producer=producer())


def _hierarchy(
    dataset: Dataset, name: DatasetName, kind: DatasetKind | None, warehouse: Warehouse
) -> DatasetFacet | None:
    """Database, schema and table, where the name has exactly these parts."""
    levels = ["DATABASE", "SCHEMA"] if warehouse.dialect.databases_hold_schemas else ["DATABASE"]
    parts = name.name.split(".")
    if not isinstance(dataset, Relation) or any("." in (part or "") for part in dataset):
        return None
    if name.namespace == TEMPORARY or len(parts) != len(levels) + 1:
        return None
    levels.append(kind.type if kind is not None else "TABLE")
    found = [
        hierarchy_dataset.HierarchyDatasetFacetLevel(*level) for level in zip(levels, parts, strict=True)
    ]
    return hierarchy_dataset.HierarchyDatasetFacet(found, producer=producer())


def _schema(schema: TableSchema) -> DatasetFacet:
    fields = [
        schema_dataset.SchemaDatasetFacetFields(
            name=column.name, type=column.type, ordinal_position=position, fields=None
        )
        for position, column in enumerate(schema.columns, 1)
    ]
    return schema_dataset.SchemaDatasetFacet(fields, producer=producer())


def _symlinks(name: DatasetName, warehouse: Warehouse) -> DatasetFacet | None:
    """The name under the host as the instance's URL gives it, where the namespace has a shorter one.

    Others name the dataset after the whole endpoint: OpenLineage's Spark and dbt integrations, for two.
    """
    given, ours = urlsplit(warehouse.instance), urlsplit(name.namespace)
    if given.scheme != ours.scheme or not given.hostname or "," in given.netloc:
        return None
    if given.hostname == ours.hostname:
        return None
    namespace = f"{ours.scheme}://{given.hostname}:{ours.port}"
    same = symlinks_dataset.Identifier(namespace=namespace, name=name.name, type="TABLE")
    return symlinks_dataset.SymlinksDatasetFacet([same], producer=producer())
