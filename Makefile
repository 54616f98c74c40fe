# Two commands do all set-up on a machine with Python 3.11+, pip and make: `make demo` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
DEMO := $(VENV)/demo.db

.PHONY: demo test prove lint bench clean

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

demo: $(INSTALLED)  ## the lineage of sample_queries/, and a catalog of it
	$(BIN)/sqllin analyze --dialect redshift sample_queries/redshift/hr_attendance.sql
	$(BIN)/sqllin analyze --dialect redshift --end-to-end sample_queries/redshift/hr_attendance.sql
	$(BIN)/sqllin analyze --dialect redshift --end-to-end sample_queries/redshift/orders_clickstream.sql
	$(BIN)/sqllin analyze --dialect mysql sample_queries/mysql/employee.sql sample_queries/mysql/hr_payroll.sql
	$(BIN)/sqllin analyze --dialect redshift --format openlineage \
		--instance 'redshift://wh.eu-west-1:5439/dev?schema=public' \
		sample_queries/redshift/orders_clickstream.sql > $(VENV)/demo.jsonl
	rm -f $(DEMO)*
	$(BIN)/sqllin load --catalog sqlite:///$(DEMO) $(VENV)/demo.jsonl
	$(BIN)/sqllin impact --catalog sqlite:///$(DEMO) shop.orders.amount
	$(BIN)/sqllin history --catalog sqlite:///$(DEMO) shop.campaign_revenue
	$(BIN)/sqllin search --catalog sqlite:///$(DEMO) revenue

lint: $(INSTALLED)  ## style, types, architecture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint  ## every promise, at a small count; under 15 minutes
	$(BIN)/pytest -q --numprocesses=auto --dist=worksteal

prove: $(INSTALLED)  ## every promise, at the full count, on all cores
	SQLLIN_PROVE=1 $(BIN)/pytest -q --numprocesses=auto --dist=worksteal --durations=15

bench: $(INSTALLED)  ## speed and accuracy beside sqlglot's parser and the peers
	$(BIN)/python -m benchmarks.lineage_vs_parse
	$(BIN)/python -m benchmarks.compare
	$(BIN)/python -m benchmarks.catalog

clean:
	rm -rf $(VENV) .bench-venv build dist
