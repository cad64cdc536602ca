# shellcheck shell=bash
# slurmdbd with a mariadb of its own, for sacct. Sourced by start.sh.
# shellcheck disable=SC2154 # DIR, PORT, HOST, HERE come from there
DBD_PORT=$((PORT + 98)) SQL_PORT=$((PORT + 99))

lack=$(missing slurmdbd mariadbd | tr '\n' ' ')
[ -z "$lack" ] || die "not installed: ${lack}(see install.sh --sacct)"

accounting_settings() {
    echo AccountingStorageType=accounting_storage/slurmdbd
    echo AccountingStorageHost=127.0.0.1
    echo "AccountingStoragePort=$DBD_PORT"
    echo "AccountingStoragePass=$DIR/munge/socket"
    echo AccountingStorageEnforce=limits,qos
}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# wait_port PORT NAME
wait_port() {
    local i
    for ((i = 0; i < 300; i++)); do
        if listens "$1"; then return 0; fi
        sleep 0.1
    done
    fail "$2 does not answer after 30 s"
}

start_accounting() {
    local sql=(mariadbd --no-defaults --user="$(id -un)" --datadir="$DIR/db" --innodb-buffer-pool-size=64M)
    local share=/usr/share/mysql
    if [ ! -e "$DIR/db/complete" ]; then
        rm -rf "$DIR/db"
        # Debian's core package has the tables' definitions, but not all of the tool that loads them.
        mkdir -p "$DIR/db"
        {
            printf '%s;\n' 'CREATE DATABASE IF NOT EXISTS mysql' 'USE mysql' 'SET @auth_root_socket=NULL' 'SET @skip_auth_anonymous=1'
            cat $share/mysql_system_tables.sql $share/mysql_performance_tables.sql $share/mysql_system_tables_data.sql
        } | "${sql[@]}" --bootstrap >"$DIR/log/bootstrap.log" 2>&1 || fail "the database is not set up"
        cat >"$DIR/db.sql" <<-SQL
			CREATE DATABASE IF NOT EXISTS slurm_acct_db;
			CREATE USER IF NOT EXISTS 'slurm'@'127.0.0.1' IDENTIFIED BY 'testcluster';
			GRANT ALL ON slurm_acct_db.* TO 'slurm'@'127.0.0.1';
		SQL
        touch "$DIR/db/complete"
    fi
    if ! daemon mariadbd >/dev/null; then
        setsid "${sql[@]}" --socket="$DIR/run/sql.sock" --pid-file="$DIR/run/mariadbd.pid" --bind-address=127.0.0.1 \
            --port="$SQL_PORT" --init-file="$DIR/db.sql" --skip-name-resolve --innodb-lock-wait-timeout=900 \
            --innodb-flush-log-at-trx-commit=0 </dev/null >"$DIR/log/mariadbd.log" 2>&1 &
        wait_port "$SQL_PORT" mariadbd
    fi
    if ! daemon slurmdbd >/dev/null; then
        (
            umask 077 # slurmdbd refuses a file that others may read
            cat >"$DIR/slurmdbd.conf" <<-CONF
				AuthType=auth/munge
				AuthInfo=socket=$DIR/munge/socket
				DbdHost=$HOST
				DbdAddr=127.0.0.1
				DbdPort=$DBD_PORT
				SlurmUser=$(id -un)
				LogFile=$DIR/log/slurmdbd.log
				PidFile=$DIR/run/slurmdbd.pid
				StorageType=accounting_storage/mysql
				StorageHost=127.0.0.1
				StoragePort=$SQL_PORT
				StorageUser=slurm
				StoragePass=testcluster
				StorageLoc=slurm_acct_db
			CONF
        )
        slurmdbd || fail "slurmdbd does not start"
        wait_port "$DBD_PORT" slurmdbd
    fi
}
