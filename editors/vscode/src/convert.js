// Between the protocol's values and the editor's. `api` is the module `vscode`, handed in so that
// tests can bring their own.
'use strict';

function converter(api) {
  const position = (p) => new api.Position(p.line, p.character);
  const range = (r) => new api.Range(position(r.start), position(r.end));
  const uri = (text) => api.Uri.parse(text, true);
  const location = (l) => new api.Location(uri(l.uri), range(l.range));
  const textEdit = (e) => new api.TextEdit(range(e.range), e.newText);

  const toPosition = (p) => ({ line: p.line, character: p.character });
  const toRange = (r) => ({ start: toPosition(r.start), end: toPosition(r.end) });

  // Members of what a server sends come in any order.
  const samePosition = (a, b) => a.line === b.line && a.character === b.character;
  const sameRange = (a, b) => samePosition(a.start, b.start) && samePosition(a.end, b.end);

  const severities = [
    api.DiagnosticSeverity.Error,
    api.DiagnosticSeverity.Error,
    api.DiagnosticSeverity.Warning,
    api.DiagnosticSeverity.Information,
    api.DiagnosticSeverity.Hint,
  ];

  function diagnostic(d) {
    const made = new api.Diagnostic(range(d.range), d.message, severities[d.severity ?? 1]);
    made.source = d.source;
    if (d.code !== undefined) {
      const href = d.codeDescription?.href;
      made.code = href ? { value: d.code, target: uri(href) } : d.code;
    }
    if (d.relatedInformation) {
      made.relatedInformation = d.relatedInformation.map(
        (i) => new api.DiagnosticRelatedInformation(location(i.location), i.message),
      );
    }
    if (d.tags) made.tags = d.tags;
    // The server gets back what it sent, data included, when it is asked for a fix.
    made.original = d;
    return made;
  }

  function toDiagnostic(d) {
    if (d.original) return d.original;
    const code = d.code !== null && typeof d.code === 'object' ? d.code.value : d.code;
    return {
      range: toRange(d.range),
      message: d.message,
      severity: d.severity === undefined ? 1 : d.severity + 1,
      source: d.source,
      code,
    };
  }

  // Markup of the server is text: it cannot run commands and cannot bring HTML.
  function markdown(content) {
    if (typeof content === 'string') return new api.MarkdownString(content);
    if (content.kind === 'plaintext') return new api.MarkdownString().appendText(content.value);
    if (content.language !== undefined) {
      return new api.MarkdownString().appendCodeblock(content.value, content.language);
    }
    return new api.MarkdownString(content.value);
  }

  function hover(h) {
    if (!h) return undefined;
    const contents = (Array.isArray(h.contents) ? h.contents : [h.contents]).map(markdown);
    return new api.Hover(contents, h.range ? range(h.range) : undefined);
  }

  function definition(found) {
    if (!found) return undefined;
    return (Array.isArray(found) ? found : [found]).map((l) => {
      if (l.targetUri === undefined) return location(l);
      return {
        originSelectionRange: l.originSelectionRange ? range(l.originSelectionRange) : undefined,
        targetUri: uri(l.targetUri),
        targetRange: range(l.targetRange),
        targetSelectionRange: range(l.targetSelectionRange),
      };
    });
  }

  function completionItem(i, defaults) {
    const made = new api.CompletionItem(i.label, i.kind === undefined ? undefined : i.kind - 1);
    made.detail = i.detail;
    if (i.labelDetails) made.label = { label: i.label, ...i.labelDetails };
    if (i.documentation) made.documentation = markdown(i.documentation);
    made.sortText = i.sortText;
    made.filterText = i.filterText;
    made.preselect = i.preselect;
    made.commitCharacters = i.commitCharacters ?? defaults?.commitCharacters;
    const snippet = (i.insertTextFormat ?? defaults?.insertTextFormat) === 2;
    const text = i.textEdit?.newText ?? i.textEditText ?? i.insertText ?? i.label;
    made.insertText = snippet ? new api.SnippetString(text) : text;
    const place = i.textEdit?.range ?? defaults?.editRange;
    if (i.textEdit?.insert) {
      made.range = { inserting: range(i.textEdit.insert), replacing: range(i.textEdit.replace) };
    } else if (place?.insert) {
      made.range = { inserting: range(place.insert), replacing: range(place.replace) };
    } else if (place) {
      made.range = range(place);
    }
    if (i.additionalTextEdits) made.additionalTextEdits = i.additionalTextEdits.map(textEdit);
    if (i.command) made.command = command(i.command);
    made.original = i;
    return made;
  }

  function completion(found) {
    if (!found) return undefined;
    if (Array.isArray(found)) return new api.CompletionList(found.map((i) => completionItem(i)), false);
    return new api.CompletionList(
      found.items.map((i) => completionItem(i, found.itemDefaults)),
      found.isIncomplete === true,
    );
  }

  const command = (c) => ({ title: c.title, command: c.command, arguments: c.arguments });

  function workspaceEdit(e) {
    if (!e) return undefined;
    const made = new api.WorkspaceEdit();
    // If both are given, documentChanges counts.
    if (e.documentChanges) {
      for (const change of e.documentChanges) {
        if (change.kind === 'create') made.createFile(uri(change.uri), change.options);
        else if (change.kind === 'rename') made.renameFile(uri(change.oldUri), uri(change.newUri), change.options);
        else if (change.kind === 'delete') made.deleteFile(uri(change.uri), change.options);
        else made.set(uri(change.textDocument.uri), change.edits.map(textEdit));
      }
    } else {
      for (const [where, edits] of Object.entries(e.changes ?? {})) made.set(uri(where), edits.map(textEdit));
    }
    return made;
  }

  // Which versions of open documents an edit was made for: [uri, version].
  function versions(e) {
    return (e?.documentChanges ?? [])
      .filter((c) => c.textDocument && typeof c.textDocument.version === 'number')
      .map((c) => [c.textDocument.uri, c.textDocument.version]);
  }

  function codeActionKind(kind) {
    return kind === undefined ? undefined : api.CodeActionKind.Empty.append(kind);
  }

  function codeAction(a, diagnostics) {
    if (typeof a.command === 'string') return command(a);
    const made = new api.CodeAction(a.title, codeActionKind(a.kind));
    if (a.edit) made.edit = workspaceEdit(a.edit);
    if (a.command) made.command = command(a.command);
    made.isPreferred = a.isPreferred;
    if (a.disabled) made.disabled = a.disabled;
    // The editor shows a fix beside its own diagnostic objects only.
    if (a.diagnostics) {
      const same = (d) => a.diagnostics.some((b) => sameRange(b.range, toRange(d.range)) && b.message === d.message);
      made.diagnostics = diagnostics.filter(same);
    }
    made.original = a;
    return made;
  }

  function symbol(s) {
    if (s.location) {
      return new api.SymbolInformation(s.name, s.kind - 1, s.containerName ?? '', location(s.location));
    }
    const made = new api.DocumentSymbol(s.name, s.detail ?? '', s.kind - 1, range(s.range), range(s.selectionRange));
    made.children = (s.children ?? []).map(symbol);
    return made;
  }

  return {
    codeAction, codeActionKind, completion, completionItem, definition, diagnostic, hover, location,
    position, range, symbol, textEdit, toDiagnostic, toPosition, toRange, uri, versions, workspaceEdit,
  };
}

module.exports = { converter };
