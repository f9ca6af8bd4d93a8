"""What we use of Airflow beside connections: its errors, XComs, links, metrics, storage and REST API."""
