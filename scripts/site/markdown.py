"""Markdown to HTML, as far as the pages of this repository use it: headings, paragraphs, lists,
tables, quotes, fenced code, comments; links, pictures, code, bold and italic inside.

    html, headings = convert(text, link)

`link(target)` says where a link or picture leads, or None to leave only its words.
"""

import html
import re


def anchor(heading):
    """GitHub's rule: lower case, punctuation dropped, spaces become hyphens."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def plain(text):
    return re.sub(r"[`*_]|!?\[([^\]]*)\]\([^)]*\)", lambda m: m[1] or ("_" if m[0] == "_" else ""), text)


class Inline:
    """The inside of a line. Code is set aside first: nothing in it has a meaning."""

    def __init__(self, link):
        self.link = link

    def __call__(self, text):
        kept = []

        def keep(piece):
            kept.append(piece)
            return f"\0{len(kept) - 1}\0"

        text = re.sub(r"(`+)(.+?)\1", lambda m: keep(f"<code>{html.escape(m[2].strip(), False)}</code>"), text)
        text = re.sub(r"\\([\\`*_|\[\]])", lambda m: keep(m[1]), text)
        text = html.escape(text, False)
        text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", lambda m: keep(self.picture(m[1], m[2])), text)
        text = re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", lambda m: self.anchor(m[1], m[2], keep), text)
        text = re.sub(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", r"<strong>\1</strong>", text)
        text = re.sub(r"(?<![\w*])\*(?=[^\s*])(.+?)(?<=[^\s*])\*(?![\w*])", r"<em>\1</em>", text)
        while "\0" in text:
            text = re.sub(r"\0(\d+)\0", lambda m: kept[int(m[1])], text)
        return text

    def picture(self, words, target):
        return f'<img src="{self.link(html.unescape(target))}" alt="{html.escape(html.unescape(words))}" loading="lazy">'

    def anchor(self, words, target, keep):
        place = self.link(html.unescape(target))
        if place is None:
            return words
        return keep(f'<a href="{html.escape(place)}">') + words + keep("</a>")


def code_block(language, lines):
    text = html.escape("\n".join(lines), False)
    if language == "yaml":
        text = re.sub(r"(?m)((?:^|\s)#.*)$", r"<i>\1</i>", text)
        text = re.sub(r"(?m)(^|[{,\s-])([A-Za-z_][\w.]*)(?=:(?:\s|$))", r"\1<b>\2</b>", text)
    elif language == "sh":
        text = re.sub(r"(?m)((?:^|\s)#.*)$", r"<i>\1</i>", text)
    return f'<pre class="{language or "text"}"><code>{text}</code></pre>'


def cells(line):
    parts = re.split(r"(?<!\\)\|", re.sub(r"`[^`]*`", lambda m: m[0].replace("|", "\1"), line.strip().strip("|")))
    return [part.replace("\1", "|").strip() for part in parts]


class Converter:
    def __init__(self, text, link):
        self.lines, self.at, self.out, self.headings = text.split("\n"), 0, [], []
        self.inline = Inline(link)

    def peek(self):
        return self.lines[self.at] if self.at < len(self.lines) else None

    def take(self):
        self.at += 1
        return self.lines[self.at - 1]

    def take_while(self, wanted):
        taken = []
        while self.peek() is not None and wanted(self.peek()):
            taken.append(self.take())
        return taken

    def run(self):
        while self.peek() is not None:
            self.block()
        return "\n".join(self.out), self.headings

    def block(self):
        line = self.peek()
        if not line.strip():
            self.take()
        elif line.startswith("<!--"):
            while "-->" not in self.take():
                pass
        elif fence := re.match(r"^\s*(`{3,})(\w*)", line):
            self.take()
            lines = self.take_while(lambda rest: rest.strip() != fence[1])
            self.at += 1
            self.out.append(code_block(fence[2], lines))
        elif heading := re.match(r"^(#+) (.+)$", line):
            self.take()
            level, name = len(heading[1]), anchor(heading[2])
            self.headings.append((level, plain(heading[2]), name))
            self.out.append(f'<h{level} id="{name}">{self.inline(heading[2])}</h{level}>')
        elif line.startswith("|"):
            self.table()
        elif re.match(r"^\s*([-*]|\d+\.) ", line):
            self.list()
        elif line.startswith(">"):
            lines = [quoted.lstrip("> ") for quoted in self.take_while(lambda rest: rest.startswith(">"))]
            self.out.append(f"<blockquote><p>{self.inline(' '.join(lines))}</p></blockquote>")
        else:
            lines = self.take_while(lambda rest: rest.strip() and not re.match(r"^(#+ |\||`{3}|[-*] |\d+\. |>)", rest))
            self.out.append(f"<p>{self.inline(' '.join(lines or [self.take()]))}</p>")

    def table(self):
        rows = [cells(line) for line in self.take_while(lambda rest: rest.startswith("|"))]
        head = "".join(f"<th>{self.inline(cell)}</th>" for cell in rows[0])
        body = "".join("<tr>" + "".join(f"<td>{self.inline(cell)}</td>" for cell in row) + "</tr>\n" for row in rows[2:])
        self.out.append(f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>')

    def list(self):
        ordered = bool(re.match(r"^\s*\d+\. ", self.peek()))
        items = []
        while self.peek() is not None:
            mark = re.match(r"^(?:[-*]|\d+\.) +(.*)$", self.peek())
            if mark:
                self.take()
                items.append([mark[1]])
            elif items and re.match(r"^\s{2,}\S", self.peek()):
                items[-1].append(self.take().strip())
            else:
                break
        inside = "".join(f"<li>{self.inline(' '.join(item))}</li>\n" for item in items)
        self.out.append(f"<{'ol' if ordered else 'ul'}>{inside}</{'ol' if ordered else 'ul'}>")


def convert(text, link):
    return Converter(text, link).run()
