"""What we use of Airflow besides connections: its errors, XComs, links, metrics, storage and REST API."""
