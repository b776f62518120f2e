"""The reference of scene files, made from the schema that the reader itself is made from
(`carom schema`), so that it cannot say anything else than the program does."""

from markdown import anchor

TITLES = {
    "scene": "The whole file", "body": "Bodies", "shape": "Shapes", "joint": "Joints", "drive": "Drives",
    "coupling": "Couplings", "force": "Forces", "contact": "Contact", "law": "Normal laws",
    "friction": "Friction laws", "resistance": "Resistances", "signal": "Signals", "state": "States",
    "event": "Events", "initial": "Initial state", "run": "Run and output",
}

# Where more is said about the rows of a catalogue.
PAGES = {"shape": "shape-kinds.md", "joint": "joint-kinds.md", "law": "normal-laws.md",
         "friction": "friction-laws.md", "resistance": "friction-laws.md"}


# What has no table of its own.
WORDS = {"number": "number", "boolean": "true or false", "vector3": "[x, y, z]",
         "signal_value": "number, formula or [signal](#signals)"}


def title_of(name):
    return name if "." in name else TITLES.get(name, name.replace("_", " ").capitalize())


def kind_of(field):
    """What may stand there, in words."""
    if "$ref" in field:
        name = field["$ref"].removeprefix("#/$defs/")
        return WORDS.get(name) or f"[{name}](#{anchor(title_of(name))})"
    if "enum" in field or "const" in field:
        words = [word for word in field.get("enum", [field.get("const")]) if isinstance(word, str)]
        return ", ".join(f"`{word}`" for word in words)
    if "anyOf" in field or "oneOf" in field:
        kinds = [kind_of(part) for part in field.get("anyOf", field.get("oneOf"))]
        return " or ".join(kind for kind in dict.fromkeys(kinds) if kind not in ("", "nothing"))
    kind = field.get("type", "any")
    if kind == "array":
        low, high = field.get("minItems"), field.get("maxItems")
        count = "" if low is None else f"{low} " if low == high else f"{low} to {high} " if high else f"at least {low} "
        return f"list of {count}{kind_of(field.get('items', {}))}"
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return f"map of {kind_of(field['additionalProperties'])} by name"
    return {"object": "map", "string": "text", "null": "nothing"}.get(kind, kind)


def limits_of(field):
    words = []
    for key, sign in (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<")):
        if key in field:
            words.append(f"{sign} {field[key]:g}")
    return ", ".join(words)


def table_of(definition):
    rows = ["| field | value | default | |", "|---|---|---|---|"]
    needed = definition.get("required", [])
    for name, field in definition.get("properties", {}).items():
        default = field.get("default", "required" if name in needed else "")
        default = str(default).lower() if isinstance(default, bool) else default
        kind = ", ".join(part for part in (kind_of(field), limits_of(field)) if part)
        rows.append(f"| `{name}` | {kind} | {default} | {field.get('description', '')} |".replace("\n", " "))
    return rows


def reference(schema):
    """The page as Markdown."""
    definitions = schema["$defs"]
    lines = ["# Scene reference", "",
             "Every map of a scene file with its fields. How it reads as a whole is in [scene.md](scene.md). "
             "Numbers may be formulas everywhere. This page is made from `carom schema`, which editors read too; "
             "`carom list` prints the catalogues.", ""]
    families = {}
    for name, definition in definitions.items():
        if definition.get("properties") or "." in name or name in TITLES:
            families.setdefault(name.split(".")[0], []).append((name, definition))
    for family, members in families.items():
        lines += [f"## {title_of(family)}", ""]
        if family in PAGES:
            lines += [f"Each with picture and when to choose it: [{PAGES[family].removesuffix('.md')}]({PAGES[family]}).", ""]
        for name, definition in members:
            if "." in name:
                lines += [f"### {name}", ""]
            if definition.get("description"):
                lines += [definition["description"][0].upper() + definition["description"][1:] + ".", ""]
            if definition.get("properties"):
                lines += table_of(definition) + [""]
    return "\n".join(lines)
