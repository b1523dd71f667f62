"""The batches of one net over several devices: gradients are sums over shards, and the bits are those of one device."""

import support
from split_case import SplitCase, devices

NET = ["mlp", "--generate", "teacher:300", "--hidden", "12,8", "--batch", 50, "--shards", 8]
QUICK = {
    "dropout": [*NET, "--dropout", 0.2, "--epochs", 6],
    "patience": [*NET, "--epochs", 60, "--patience", 2, "--rate", 0.03],
    "shards without rows in the last batch": [*NET, "--batch", 100, "--test", 0, "--validation", 0.33, "--epochs", 3],
}
FULL = {
    "no sample": [*NET, "--epochs", 20, "--trace", 0],
    "samples of some epochs": [*NET, "--epochs", 9, "--trace", 4, "--validation", 0],
    "clipping and penalties": [*NET, "--epochs", 5, "--clip", 0.05, "--l1", 1e-3, "--l2", 1e-3],
    "full batch": [*NET[:-4], "--full-batch", "--shards", 8, "--epochs", 12, "--optimiser", "irprop-plus"],
    "plateau": [*NET, "--epochs", 20, "--schedule", "plateau", "--rate-period", 2],
    "a target": [*NET, "--epochs", 60, "--target-loss", 2.9],
    "updates": [*NET, "--updates", 17],
    "double precision": [*NET, "--epochs", 5, "--precision", "fp64"],
    "rows in chunks": [*NET, "--epochs", 5, "--chunk-rows", 64],
    "an odd number of shards": [*NET[:-1], 7, "--epochs", 5],
    "weights": [*NET, "--epochs", 5, "--class-weights", "balanced"],
}


class Shards(SplitCase):
    def test_bits_are_those_of_one_device(self):
        self.compare_all(QUICK)

    @support.in_full
    def test_bits_of_every_kind_of_run(self):
        self.compare_kinds(support.of_turn(FULL))
        table = self.file("waves.csv", "a,b,y,w\n" + "".join(f"{i % 7},{i % 5},{(i * i) % 11},{1 + i % 3}\n" for i in range(150)))
        self.compare(["mlp", "--data", table, "--target", "y", "--task", "regress", "--weight", "w", "--batch", 30, "--shards", 8,
                      "--epochs", 5])

    def test_a_device_may_have_no_range_of_the_sums(self):
        # The net has fewer parameters than the batch has shards.
        net = ["mlp", "--generate", "xor:1600", "--hidden", 2, "--full-batch", "--shards", 1000, "--epochs", 2, "--optimiser", "sgd"]
        whole = self.run_on("whole", net, "--device", devices(1))
        self.assertEqual(self.run_on("split", net, "--split", "--device", devices(3), "--shares", "998:1:1"), whole)

    @support.long
    def test_several_nets_with_fewer_nets_than_devices(self):
        self.assertEqual(self.run_on("split", [*NET, "--nets", 2, "--epochs", 4], "--split", "--device", devices(3)),
                         self.run_on("whole", [*NET, "--nets", 2, "--epochs", 4], "--device", devices(1)))

    def test_resumed_on_another_number_of_devices(self):
        self.compare_resumed([*NET, "--schedule", "constant"], "--epochs", 7, 20)

    def test_parts_of_one_device(self):
        self.compare_parts(QUICK["dropout"])

    def test_sums_of_large_layers_travel_while_others_are_computed(self):
        # Two layers of 1025^2 weights, more than 2^20: two pieces. Four shards over three parts: some have no node, some two.
        net = ["mlp", "--generate", "teacher:16", "--hidden", "1025,1025,1025", "--batch", 8, "--shards", 4, "--updates", 2, "--trace", 0,
               "--validation", 0, "--test", 0]
        self.compare_parts(net)

    def test_a_run_is_cut_within_an_epoch(self):
        # The devices are cut after the same update, and another number of devices goes on to the same end.
        long = ["mlp", "--generate", "teacher:3000", "--hidden", "24", "--batch", 2, "--shards", 2, "--trace", 0, "--epochs", 2]
        whole = self.run_on("whole", long, "--device", devices(1))
        self.run_on("limited", [*long, "--time", 0.15], "--split", "--device", devices(2))
        for more in (["--device", devices(1)], ["--split", "--device", devices(2)]):
            with self.subTest(more):
                resumed = self.run_on("end", ["mlp", "--resume", self.folder / "limited.ckp", "--time", 1000], *more)
                self.assertEqual(resumed[0], whole[0])

    def test_a_net_that_fails(self):
        table = self.file("sums.csv", "a,b,sum\n" + "".join(f"{i % 7},{i % 5},{i % 7 + i % 5}\n" for i in range(120)))
        wild = ["mlp", "--data", table, "--target", "sum", "--task", "regress", "--hidden", 3, "--activation", "linear", "--optimiser", "sgd",
                "--schedule", "constant", "--rate", 5, "--batch", 10, "--trace", 0, "--shards", 3]
        whole = self.fails(6, *wild, "--device", devices(1), env=self.env)
        self.assertRegex(whole, "the loss of update [0-9]+ is no finite number")
        split = self.fails(6, *wild, "--split", "--device", devices(3), env=self.env)
        self.assertEqual(split.replace("opencl:0 + opencl:1 + opencl:2", "opencl:0"), whole)

    def test_parts_are_shown(self):
        command = [*NET, "--epochs", 2, "--split", "--device", devices(3)]
        self.check_table(command, [("opencl:0", "shard", 0, 3), ("opencl:1", "shard", 3, 3), ("opencl:2", "shard", 6, 2)], "shards")
        # Of nets and shards, nets are divided where there are enough.
        self.assertRegex(self.succeeds(*command, "--nets", 3, env=self.env), r"device +nets ")

    def test_what_is_refused(self):
        for count, command, line in (
            (2, NET[:-2], "--split: nets or shards are divided among devices, and there is 1 for 2 devices: give --nets or --folds or "
             "--shards 2 or more"),
            (5, [*NET[:-1], 3], "nets or shards are divided among devices, and there are 3 for 5 devices"),
            (2, [*NET, "--batch", 4], "a batch of 4 rows has no 8 shards: lower shards, or raise the batch"),
        ):
            with self.subTest(line):
                self.assertIn(line, self.fails(2, *command, "--split", "--device", devices(count), env=self.env))

    def test_the_thesis_has_no_shards(self):
        self.need_theses()
        thesis = ["mlp", "--generate", "spirals:100", "--method", "v1", "--full-batch", "--output", "logistic", "--loss", "e"]
        self.assertIn("--shards needs --method auto or gemm", self.fails(2, *thesis, "--shards", 2, env=self.env))
        self.assertIn("nets are divided among devices", self.fails(2, *thesis, "--split", "--device", devices(2), env=self.env))


if __name__ == "__main__":
    support.main()
