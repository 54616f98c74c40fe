-- The employee table of the HR sample as it stands in MySQL, filled by INSERT.
create database if not exists hr;
use hr;

create table employee (
    employee_id int not null auto_increment primary key,
    first_name  varchar(40),
    last_name   varchar(40),
    department  varchar(40) comment 'free text; no codes',
    salary      decimal(10, 2),
    hired_on    date,
    full_name   varchar(81) generated always as (concat(first_name, ' ', last_name)) stored
) engine = InnoDB default charset = utf8mb4;

insert into employee (first_name, last_name, department, salary, hired_on) values
    ('Ada', 'Lovelace', 'analysis', 5200.00, '2021-03-01'),
    ('Grace', 'O''Hopper', 'systems', 6100.50, '2019-11-15');

-- people who were accepted become employees
insert into employee (first_name, last_name, department, salary, hired_on)
select a.first_name, upper(a.last_name), p.department, p.offered_salary, a.start_on
from recruiting.applicant as a
join recruiting.position as p on p.position_id = a.position_id
where a.state = 'accepted';
