"""What is MySQL's and MariaDB's alone."""
