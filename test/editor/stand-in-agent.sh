#!/bin/sh
# Stands in for an agent in a terminal: tells what it was asked.
echo "$@" > "$HOME/asked"
