#!/usr/bin/env bash
# Training from the command line: epochs, parts, JSON and CSV; and what can be wrong with images and options.
# usage: tests/cli/train.sh BUILD/breakeven
set -eu
program=$(realpath "$1")
. "$(dirname "$0")/../checks.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export TMPDIR=$scratch

run() {
    code=0
    "$program" train "$@" >out 2>err || code=$?
    tr -s ' \n' ' ' <err >words
}

# holds FILE CODE: Python's view of the JSON in FILE, as d.
holds() { python3 -c "import json, math; d = json.load(open('$1')); assert $2, '$2'"; }
narrow() { ! LC_ALL=C grep -Eq '^.{81}|[^ -~]' "$1"; }

# images: small sets in the form of MNIST (24 and 6 images) and of CIFAR-10 (two of five batches of 12, and 6).
images() {
    rm -rf mnist cifar
    mkdir mnist cifar
    python3 - <<'PYTHON'
import gzip, struct
for name, count in (("train", 24), ("t10k", 6)):
    with gzip.open(f"mnist/{name}-images-idx3-ubyte.gz", "wb") as out:
        out.write(struct.pack(">4i", 0x803, count, 28, 28) + bytes(i * 7 % 256 for i in range(784 * count)))
    with open(f"mnist/{name}-labels-idx1-ubyte", "wb") as out:
        out.write(struct.pack(">2i", 0x801, count) + bytes(i % 10 for i in range(count)))
for name, count in (("data_batch_1", 12), ("data_batch_2", 12), ("test_batch", 6)):
    with open(f"cifar/{name}.bin", "wb") as out:
        for image in range(count):
            out.write(bytes([image % 10] + [(i * 7 + image * 31) % 256 for i in range(3072)]))
PYTHON
}
images
small=(lenet --data=cifar --incomplete --epochs=2 --batch=8 --threads=1 --quiet)

# ---- a run --------------------------------------------------------------------------------------
run "${small[@]}"
check 'a run: exit 0, nothing on standard error' [ "$code" -eq 0 -a ! -s err ]
check 'a run: two epochs, each with its test images' [ "$(grep -c '^ *[12] *24 .*%.*%' out)" -eq 2 ]
check 'a run: the parts of its time' grep -q '^  waiting for images .* %' out
check 'a run: at most 80 columns of ASCII' narrow out
check 'a run: a finding' grep -q '% of the time the net waited for images' out

run "${small[@]}" --json=a.json --csv=a.csv --workers=0
check 'JSON: two epochs, of all images' holds a.json 'd["command"] == "train" and [e["images"] for e in d["epochs"]] == [24, 24]'
check 'JSON: the parts are all of the time' \
    holds a.json 'math.isclose(sum(d[k + "_s"] for k in ("wait", "forward", "loss", "backward", "update", "other")), d["train_s"], rel_tol=1e-6)'
check 'CSV: a row an epoch' [ "$(wc -l <a.csv)" -eq 3 ]
run "${small[@]}" --json --workers=3 --prefetch=5 --keep=ram
cp out b.json
check 'other workers, images in memory: the same losses' \
    python3 -c 'import json; a, b = (json.load(open(f))["epochs"] for f in ("a.json", "b.json")); assert [(e["loss"], e["test_loss"]) for e in a] == [(e["loss"], e["test_loss"]) for e in b]'

# ---- tf32: where it is, and how one gets there --------------------------------------------------------
run lenet --synthetic --math=tf32
check 'tf32 on the CPU: exit 2, and what to name' sh -c '[ '"$code"' -eq 2 ] && grep -q "matrix units: name one, as --device=cuda:0" words'
run lenet --synthetic --math=half
check 'another math: exit 2 with those that there are' sh -c '[ '"$code"' -eq 2 ] && grep -q "there are float32, tf32" words'

# ---- on a device: the losses of the CPU, but for the order of sums -----------------------------------
images=(lenet --synthetic --images=37 --test-images=21 --batch=16 --epochs=1 --threads=1 --quiet)
run "${images[@]}" --json=here.json
run "${images[@]}" --device=opencl:0 --json=there.json
if [ "$code" -ne 0 ] && grep -q 'opencl' words; then
    [ -z "${BREAKEVEN_REQUIRE_OPENCL:-}" ] || bad 'OpenCL is required, and not here'
    echo 'skip: on a device: no OpenCL here'
else
    check 'on a device: JSON names it, and not on the CPU' \
        sh -c 'grep -q "\"device\": *\"opencl:0, " there.json && grep -q "\"device\": *null" here.json'
    check 'on a device: the losses of the CPU' \
        python3 -c 'import json, math; a, b = (json.load(open(f))["epochs"][0]["loss"] for f in ("here.json", "there.json")); assert a > 1 and math.isclose(a, b, rel_tol=1e-4), (a, b)'
    run "${images[@]}" --device=opencl:0 --keep=device --json=held.json
    check 'images on the device: said, and no workers' \
        sh -c 'tr -s " \n" " " <out | grep -q "its images are there, too.*No image is loaded in a step"'
    check 'images on the device: the same losses to the bit' \
        python3 -c 'import json; a, b = (json.load(open(f)) for f in ("there.json", "held.json")); assert b["on_device"] and not a["on_device"]; assert [(e["loss"], e["test_loss"]) for e in a["epochs"]] == [(e["loss"], e["test_loss"]) for e in b["epochs"]]'
    run lenet --crossing --device=opencl:0 --batch=2 --total=0.2 --quiet --json=crossing.json
    check 'crossing: each batch has its times, and gradients are right' \
        holds crossing.json 'd["batches"][0]["batch"] == 1 and all(b["one_core_s"] > 0 and b["there_s"] > 0 and 0 < b["gradient_off"] < 1e-4 for b in d["batches"])'
    check 'crossing: at most 80 columns' narrow out
    run "${images[@]}" --device=opencl:0,opencl:0 --json=both.json
    check 'on two devices: the losses of one' \
        python3 -c 'import json, math; a, b = (json.load(open(f)) for f in ("there.json", "both.json")); assert b["devices"] == 2 and a["devices"] == 1, b; assert all(math.isclose(a["epochs"][0][k], b["epochs"][0][k], rel_tol=1e-6) for k in ("loss", "test_loss")), (a, b)'
    check 'on two devices: the row and the sentence of the all-reduce, 80 columns' \
        sh -c 'grep -q "^  all-reduce of the gradients  *[0-9]" out && tr -s " \n" " " <out | grep -q "gradients are added through host memory; .* The all-reduce took [0-9.]* %"' && narrow out
    check 'on two devices: parts are all of the time' \
        holds both.json 'd["all_reduce_s"] >= d["all_reduce_least_s"] > 0 and math.isclose(sum(d[k + "_s"] for k in ("wait", "forward", "loss", "backward", "all_reduce", "update", "other")), d["train_s"], rel_tol=1e-6)'
    run lenet --scaling --device=opencl:0,opencl:0 --batch=4 --total=0.1 --quiet --json=scaling.json
    check 'scaling: one device, two, two with twice the batch; gradients are right' \
        holds scaling.json '[(s["devices"], s["batch"]) for s in d["scales"]] == [(1, 4), (2, 4), (2, 8)] and all(s["step_s"] > 0 for s in d["scales"]) and d["gradient_off"] < 1e-5'
    check 'scaling: at most 80 columns' narrow out
    refused_there() { run "$@"; check "$said" sh -c '[ '"$code"' -eq 2 ] && grep -qF -- "$0" words' "$said"; }
    said='there is no net nosuch' && refused_there nosuch --crossing --device=opencl:0
    said='there is no net nosuch' && refused_there nosuch --scaling --device=opencl:0,opencl:0
    said='the batch norms of resnet18 amplify' && refused_there resnet18 --crossing --device=opencl:0 --batch=2 --total=0.1
    said='--scaling: opencl:0 is one device' && refused_there lenet --scaling --device=opencl:0
    said='--crossing: holds one device' && refused_there lenet --crossing --device=opencl:0,opencl:0
    run lenet --synthetic --math=tf32 --device=opencl:0
    check 'tf32 on OpenCL: a failure that says where it is' sh -c '[ '"$code"' -ne 0 ] && grep -q "opencl:0: has no tf32: CUDA devices have" words'
    said='a larger --batch' && refused_there lenet --synthetic --batch=1 --device=opencl:0,opencl:0
    said='the CPU shares no batch with other devices' && refused_there lenet --synthetic --batch=4 --device=opencl:0,cpu
    check 'on a device: parts are all of the time' \
        holds there.json 'math.isclose(sum(d[k + "_s"] for k in ("wait", "forward", "loss", "backward", "update", "other")), d["train_s"], rel_tol=1e-6)'
fi
run "${images[@]}" --device=cuda:77
check 'a device that is not here: exit 2, or 3 where there is none, and its name' \
    sh -c '[ '"$code"' -ge 2 ] && grep -q "cuda:77" words'
run lenet --synthetic --compare --device=opencl:0
check '--compare with --device: exit 2 and what to leave out' sh -c '[ '"$code"' -eq 2 ] && grep -q "leave out --device" words'

run lenet --synthetic --images=16 --batch=8 --epochs=9 --no-test --total=0.001 --quiet
check 'no time: ended within the first epoch, exit 0' [ "$code" -eq 0 ]
check 'no time: says so' grep -q '^Ended before all epochs' out

# ---- checkpoints --------------------------------------------------------------------------------
run "${small[@]}" --save=whole --weights=weights
check 'a checkpoint: written and named' grep -q '^Checkpoint: whole' out
run "${small[@]}" --epochs=1 --save=half
run "${small[@]}" --resume=half --save=half
check 'half a run, and the other half: one epoch' [ "$(grep -c '^ *[12] *24 ' out)" -eq 1 ]
check 'half a run, and the other half: the same bits' cmp whole half
check 'weights alone: no optimiser' [ "$(wc -c <weights)" -lt "$(wc -c <whole)" ]
run "${small[@]}" --resume=weights
check 'weights to begin with: two epochs' [ "$(grep -c '^ *[12] *24 ' out)" -eq 2 ]

# As Ctrl-C, which a shell has ignored in what it starts behind: once training has begun.
"$program" train "${small[@]}" --decode=0.02 --workers=0 --save=cut >out 2>err &
until grep -q '^epoch ' out; do sleep 0.02; done
sleep 0.2
kill -TERM $!
code=0
wait $! || code=$?
check 'asked to end: exit 130' [ "$code" -eq 130 ]
check 'asked to end: says so, with the parts of the time and the checkpoint' \
    grep -q 'forward .*Ended before all epochs were trained. Checkpoint: cut' <(tr -s ' \n' ' ' <out)
run "${small[@]}" --resume=cut --save=cut
check 'asked to end, and going on: the same bits' cmp whole cut

cp whole kept
(trap '' XFSZ && ulimit -f 1 && "$program" train "${small[@]}" --epochs=3 --resume=kept --save=kept >out 2>err) || code=$?
check 'no room for a checkpoint: exit 2' [ "$code" -eq 2 ]
check 'no room for a checkpoint: the epoch is there' grep -q '^ *3 *24 ' out
check 'no room for a checkpoint: the old one is whole' cmp kept whole
check 'no room for a checkpoint: nothing beside it' [ "$(echo kept*)" = kept ]

# A learning rate that no net survives: said with the step, and no checkpoint is made of it.
run "${small[@]}" --epochs=90 --rate=1e30 --resume=weights --save=lost
check 'a loss that is no number: exit 4' [ "$code" -eq 4 ]
check 'a loss that is no number: says the step' grep -q 'the loss of step [0-9]* is .*nan' words

# ---- several ways -------------------------------------------------------------------------------
run lenet --data=cifar --incomplete --batch=8 --compare --total=0.1 --quiet --json=ways.json
check 'ways: exit 0' [ "$code" -eq 0 ]
check 'ways: threads, images on disk and in memory, 4 numbers of workers' \
    holds ways.json 'len(d["ways"]) in (8, 16) and all(w["lo"] <= w["images_per_s"] <= w["hi"] for w in d["ways"])'
check 'ways: the verdict names the fastest' \
    holds ways.json '"{:,} images a second".format(round(max(w["images_per_s"] for w in d["ways"]))) in d["verdict"]'
check 'ways: at most 80 columns of ASCII' narrow out

# ---- what can be wrong --------------------------------------------------------------------------
# refused CODE WORDS OPTION...: with this exit code, one line that has the words, and nothing on standard output.
refused() {
    local wanted=$1 said=$2
    shift 2
    run "$@"
    check "$said" [ "$code" -eq "$wanted" -a ! -s out ]
    check "$said: said" grep -qF -- "$said" words
    check "$said: 80 columns" narrow err
}
refused 2 'which net?'
refused 2 'there is no net lemon: lenet, mnist, tfcnn' lemon --synthetic
refused 2 'mnist needs MNIST in a folder' mnist
check 'without images: names and sizes of the files' grep -q 'train-images-idx3-ubyte .*47,040,016 bytes, or .gz of 9,912,422' err
refused 2 '--data and --synthetic' mnist --data=mnist --synthetic
refused 2 '--crossing: name the device' lenet --crossing
refused 2 '--crossing: makes its own images' lenet --crossing --device=opencl:0 --synthetic
refused 2 '--scaling: name the devices' lenet --scaling
refused 2 '--scaling: makes its own images' lenet --scaling --device=opencl:0,opencl:0 --epochs=2
refused 2 '--keep=device: belongs to a net on a device' mnist --synthetic --keep=device
refused 2 '--keep=device: nothing is loaded in a step' mnist --synthetic --keep=device --device=opencl:0 --workers=2
refused 2 '--keep tape: there are disk, ram, device' mnist --data=mnist --keep=tape
refused 2 '--rate -1: a number above 0' mnist --data=mnist --rate=-1
refused 2 '--batch 0: at least 1' mnist --data=mnist --batch=0
refused 2 'one net at a time' mnist lenet --synthetic
refused 2 '--compare: tries threads' mnist --synthetic --compare --workers=3
refused 2 'the last batch of an epoch would be 1 image' resnet18 --synthetic --images=3 --batch=2 --threads=1
refused 2 'lemon: No such file' "${small[@]}" --resume=lemon
refused 2 'weights: is' mnist --synthetic --images=8 --batch=8 --resume=weights
refused 2 'has 2 epochs already: --epochs=3' "${small[@]}" --resume=whole
refused 2 'batches of 8, and this run has' "${small[@]}" --epochs=3 --batch=4 --resume=whole
refused 2 'nowhere/x: cannot be written' "${small[@]}" --save=nowhere/x
refused 2 'No such file' mnist --data=nowhere
refused 2 'no file of CIFAR-10' lenet --data=mnist
refused 2 '24 records, and MNIST has 60000' mnist --data=mnist
rm mnist/t10k-labels-idx1-ubyte
refused 2 't10k-labels-idx1-ubyte (or .gz) is missing' mnist --data=mnist --incomplete
images
printf '\x0c' | dd of=mnist/train-labels-idx1-ubyte bs=1 seek=13 conv=notrunc status=none
refused 2 'record 5 has label 12' mnist --data=mnist --incomplete
images
truncate -s -40 mnist/train-images-idx3-ubyte.gz
refused 2 'the compressed file ends early' mnist --data=mnist --incomplete

done_testing train
