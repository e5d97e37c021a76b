# An image that runs the main job, and any other command:
#   docker build -t hanabi .
#   docker run --rm -it --user "$(id -u):$(id -g)" -v "$PWD:/work" -v hanabi:/cache hanabi evolve --preset best --tournament
# Podman builds it too. docs/start/install.md says more.
FROM python:3.13-slim
COPY pyproject.toml README.md LICENSE /hanabi/
COPY hanabi /hanabi/hanabi
COPY rules /hanabi/rules
COPY evolve /hanabi/evolve
# any user may write the two folders: machine code is kept in the one, runs in the other
RUN pip install --no-cache-dir --only-binary :all: '/hanabi[dask]' && mkdir -m 1777 /cache /work
ENV HANABI_CACHE=/cache
WORKDIR /work
ENTRYPOINT ["hanabi"]
CMD ["evolve", "--preset", "best", "--tournament"]
