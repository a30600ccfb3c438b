#!/bin/sh
# What make run does after building: small tables of every variant, then the
# server with examples to try. Takes DB, PIECES and ADDR from the environment.
set -eu
./bin/tbgen build --db "$DB" --variant all --pieces "$PIECES"
cat <<TXT

Serving $DB on http://$ADDR. In another terminal, try:

  curl 'http://$ADDR/v1/variants'
  curl 'http://$ADDR/v1/english?fen=W:WK30,22:BK5'
  curl 'http://$ADDR/v1/draughts64?fen=W:WKe3,Kc7:BKh2&kingmoves=6&situation=6'
  ./bin/tbgen probe --db $DB --variant russian 'W:Wa1,Kc3:Bb8'
  ./bin/tbgen line --db $DB --variant english 'W:WK30,22:BK5'

Stop with ctrl-C.

TXT
exec ./bin/tbserve --db "$DB" --addr "$ADDR"
