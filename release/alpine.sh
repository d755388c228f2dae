#!/bin/sh
# Tests the musllinux wheel in `dist` on one CPython, in an image of Alpine that has a Python:
#
#     docker run --rm --volume "$PWD:/repository" --workdir /repository python:3.14-alpine \
#         release/alpine.sh 3.12 2.2
#
# There are no images of the free-threaded CPython, so uv brings the interpreters, all of them alike.
set -eu
version=$1
pandas=$2

python -m pip install --quiet 'pip>=25.1'
python -m pip install --quiet --group interpreters
uv python install --quiet --managed-python "$version"
"$(uv python find --managed-python "$version")" release/environment.py /tmp/environment dist --pandas "$pandas" --test
