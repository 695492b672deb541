"""PyTorch and torchvision objects."""

import pytest

torch = pytest.importorskip("torch")
nn = torch.nn


def test_tensor(line):
    told = line(torch.linspace(-1, 1, 1000).reshape(10, 100))
    assert told == "x: Tensor (10, 100) float32; no NaN; continuous -1.0..1.0"
    assert "requires_grad" in line(torch.ones(3, requires_grad=True))
    assert "not a leaf" in line(torch.ones(30, requires_grad=True) * 2)
    assert "binary {0, 1}" in line(torch.tensor([0, 1] * 20))
    assert "values not read" in line(torch.ones(20, dtype=torch.bfloat16))
    assert "values not read" in line(torch.empty(3, 4, device="meta")) and "on meta" in line(
        torch.empty(3, 4, device="meta")
    )
    assert "bool; binary" in line(torch.tensor([True, False] * 20))
    assert "(2, 2)" in line(torch.eye(2).to_sparse())


def test_tensor_subclass_runs_nothing(line):
    class Loud(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            raise AssertionError("a user's hook was called")

    assert "tensor subclass; not read" in line(torch.ones(3).as_subclass(Loud))


def test_reading_leaves_gradients_and_versions(line):
    leaf = torch.ones(4, requires_grad=True)
    made = (leaf * 3).sum()
    version = leaf._version
    line(leaf), line(made)
    made.backward()
    assert leaf._version == version and torch.equal(leaf.grad, torch.full((4,), 3.0))


def test_module(summary):
    namespace = {"__name__": "__main__", "nn": nn}
    exec(
        "class Net(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.conv = nn.Conv2d(3, 8, 5, stride=2)\n"
        "        self.head = nn.Sequential(nn.Flatten(), nn.Linear(72, 10))\n"
        "    def forward(self, images, scale=1): return self.head(self.conv(images))\n",
        namespace,
    )
    told = summary("net.nope; net(1); net.head", net=namespace["Net"]().eval()).to_text()
    assert "Net (notebook class); evaluation mode; 1338 parameters; forward(images, scale=1); no attribute nope" in told
    assert "conv: Conv2d(3→8, kernel_size=5, stride=2)" in told and "head.1: Linear(72→10)" in told
    assert "no attribute head" not in told


def test_loaders_and_datasets(line):
    data = torch.utils.data
    dataset = data.TensorDataset(torch.zeros(100, 3, 8, 8), torch.zeros(100, dtype=torch.int64))
    told = line(data.DataLoader(data.Subset(dataset, range(70)), batch_size=32, shuffle=True))
    assert "batch size 32" in told and "3 batches of 70 samples" in told and "last batch 6" in told
    assert "batches of (32, 3, 8, 8) float32, (32,) int64" in told
    assert "sample (3, 8, 8) float32, () int64" in told
    assert "batches of (4, 5) float32, (4,) int" in line(data.DataLoader([(torch.zeros(5), 1)] * 8, batch_size=4))


def test_a_users_dataset_is_not_called(summary):
    namespace = {"__name__": "__main__", "Dataset": torch.utils.data.Dataset, "torch": torch}
    exec(
        "class Mine(Dataset):\n"
        "    def __init__(self): self.items = [torch.zeros(n) for n in (3, 4, 3)]\n"
        "    def __len__(self): return len(self.items)\n"
        "    def __getitem__(self, i): raise AssertionError('called')\n"
        "class Odd(Mine):\n"
        "    def __len__(self): raise AssertionError('called')\n",
        namespace,
    )
    told = summary(
        "mine; odd; loader",
        mine=namespace["Mine"](),
        odd=namespace["Odd"](),
        loader=torch.utils.data.DataLoader(namespace["Mine"]()),
    ).to_text()
    assert "mine: Mine (notebook class) length 3" in told
    assert "2 different shapes: (3,) float32 ×2, (4,) float32 ×1" in told
    assert "odd: Odd (notebook class)\n" in told and "3 batches of 3 samples" in told


def test_optimizer_device_dtype(line):
    told = line(torch.optim.SGD(nn.Linear(3, 2).parameters(), lr=0.1, momentum=0.9))
    assert told == "x: SGD; 2 parameter tensors; lr=0.1, momentum=0.9"
    assert line(torch.device("cpu")) == "x: device; cpu" and "torch.float16" in line(torch.float16)
    assert line(nn.CrossEntropyLoss()) == "x: CrossEntropyLoss" or "label_smoothing" in line(nn.CrossEntropyLoss())


def test_an_active_mode_sees_nothing(line):
    from torch.utils._python_dispatch import TorchDispatchMode

    seen = []

    class Spy(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **(kwargs or {}))

    value = torch.ones(100)
    with Spy():
        told = line(value)
    assert seen == [] and "(100,)" in told


def test_image_folder(line, tmp_path):
    try:
        import torchvision as vision
    except (ImportError, RuntimeError) as error:  # RuntimeError: built for another torch
        pytest.skip(f"torchvision cannot be imported: {error}")
    image = pytest.importorskip("PIL.Image")
    for label in ("cat", "dog"):
        (tmp_path / label).mkdir()
        for index, size in enumerate([(20, 30), (25, 30)]):
            image.new("RGB", size).save(tmp_path / label / f"{index}.png")
    transforms = vision.transforms
    plain = vision.datasets.ImageFolder(str(tmp_path), transforms.ToTensor())
    assert "image files of different sizes or channels: 20×30 rgb, 25×30 rgb" in line(plain)
    sized = vision.datasets.ImageFolder(
        str(tmp_path), transforms.Compose([transforms.Resize((64, 48)), transforms.ToTensor()])
    )
    told = line(sized)
    assert (
        "length 4" in told
        and "sample (3, 64, 48) float32, () int" in told
        and "[Resize(size=(64, 48)), ToTensor]" in told
    )
    real = sized[0][0]
    assert tuple(real.shape) == (3, 64, 48)
