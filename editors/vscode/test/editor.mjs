// As much of the editor's API as the client uses, without an editor.

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end) {
    Object.assign(this, { start, end });
  }
}

class Uri {
  constructor(url) {
    this.url = url;
  }
  static parse(text) {
    return new Uri(new URL(text));
  }
  get scheme() {
    return this.url.protocol.slice(0, -1);
  }
  get fsPath() {
    return decodeURIComponent(this.url.pathname);
  }
  toString() {
    return this.url.href;
  }
}

const record = (...fields) =>
  class {
    constructor(...values) {
      fields.forEach((f, i) => (this[f] = values[i]));
    }
  };

class MarkdownString {
  constructor(value = '') {
    this.value = value;
  }
  appendText(text) {
    this.value += text.replace(/[\\`*_{}[\]()#+\-.!<>|]/g, '\\$&');
    return this;
  }
  appendCodeblock(text, language) {
    this.value += `\`\`\`${language}\n${text}\n\`\`\``;
    return this;
  }
}

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
CodeActionKind.Empty = new CodeActionKind('');

class WorkspaceEdit {
  constructor() {
    this.edits = new Map();
  }
  set(uri, edits) {
    this.edits.set(uri.toString(), edits);
  }
}

class Event {
  constructor() {
    this.listeners = new Set();
    this.on = (listener) => {
      this.listeners.add(listener);
      return { dispose: () => this.listeners.delete(listener) };
    };
  }
  fire(value) {
    for (const l of [...this.listeners]) l(value);
  }
}

export class Editor {
  constructor({ settings, folder }) {
    this.settings = settings;
    this.providers = new Map();
    this.commands = new Map();
    this.diagnostics = new Map();
    this.messages = [];
    this.progress = [];
    this.log = '';
    this.documents = [];
    this.applied = [];
    this.choice = undefined;
    this.events = Object.fromEntries(
      ['open', 'change', 'save', 'close', 'configuration', 'trust', 'created', 'changed', 'deleted'].map((n) => [n, new Event()]),
    );
    const put = (map, key, value) => {
      if (map.has(key)) throw new Error(`${key} exists`);
      map.set(key, value);
      return { dispose: () => map.delete(key) };
    };
    const provide = (kind) => (selector, provider, ...more) =>
      put(this.providers, kind, { selector, provider, more });
    const say = (level) => (message, ...buttons) => {
      this.messages.push({ level, message, buttons });
      return Promise.resolve(this.choice);
    };
    const { events } = this;
    this.api = {
      Position, Range, Uri, MarkdownString, CodeActionKind, WorkspaceEdit,
      Location: record('uri', 'range'),
      TextEdit: record('range', 'newText'),
      Diagnostic: record('range', 'message', 'severity'),
      DiagnosticRelatedInformation: record('location', 'message'),
      DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
      Hover: record('contents', 'range'),
      CompletionItem: record('label', 'kind'),
      CompletionList: record('items', 'isIncomplete'),
      SnippetString: record('value'),
      CodeAction: record('title', 'kind'),
      DocumentSymbol: record('name', 'detail', 'kind', 'range', 'selectionRange'),
      SymbolInformation: record('name', 'kind', 'containerName', 'location'),
      ProgressLocation: { Window: 10, Notification: 15 },
      env: { language: 'en' },
      commands: {
        registerCommand: (name, act) => put(this.commands, name, act),
        executeCommand: (name, ...args) => {
          const act = this.commands.get(name);
          return act ? act(...args) : undefined;
        },
      },
      languages: {
        createDiagnosticCollection: () => ({
          set: (uri, list) => this.diagnostics.set(uri.toString(), list),
          dispose: () => this.diagnostics.clear(),
        }),
        registerHoverProvider: provide('hover'),
        registerDefinitionProvider: provide('definition'),
        registerReferenceProvider: provide('references'),
        registerDocumentSymbolProvider: provide('symbols'),
        registerDocumentFormattingEditProvider: provide('formatting'),
        registerCompletionItemProvider: provide('completion'),
        registerCodeActionsProvider: provide('actions'),
        registerRenameProvider: provide('rename'),
      },
      window: {
        createOutputChannel: () => ({
          append: (text) => (this.log += text),
          appendLine: (text) => (this.log += `${text}\n`),
          show: () => (this.shown = true),
          dispose: () => {},
        }),
        showErrorMessage: say('error'),
        showWarningMessage: say('warning'),
        showInformationMessage: say('information'),
        withProgress: (options, task) => {
          const entry = { options, reports: [], ended: false };
          this.progress.push(entry);
          return task({ report: (r) => entry.reports.push(r) }, { onCancellationRequested: () => {} })
            .then(() => (entry.ended = true));
        },
      },
      workspace: {
        workspaceFolders: [{ uri: Uri.parse(folder), name: 'work' }],
        textDocuments: this.documents,
        getConfiguration: (section) => ({
          get: (key, fallback) => this.settings[`${section}.${key}`] ?? fallback,
        }),
        applyEdit: async (edit) => {
          this.applied.push(edit);
          return true;
        },
        createFileSystemWatcher: () => ({
          onDidCreate: events.created.on, onDidChange: events.changed.on, onDidDelete: events.deleted.on, dispose: () => {},
        }),
        onDidOpenTextDocument: events.open.on,
        onDidChangeTextDocument: events.change.on,
        onDidSaveTextDocument: events.save.on,
        onDidCloseTextDocument: events.close.on,
        onDidChangeConfiguration: events.configuration.on,
        onDidGrantWorkspaceTrust: events.trust.on,
      },
    };
  }

  document(uri, text, languageId = 'leto') {
    return { uri: Uri.parse(uri), languageId, version: 1, text, getText() { return this.text; } };
  }

  openDocument(document) {
    this.documents.push(document);
    this.events.open.fire(document);
  }

  // Replaces a part of a line.
  change(document, line, from, to, text) {
    const lines = document.text.split('\n');
    lines[line] = lines[line].slice(0, from) + text + lines[line].slice(to);
    document.text = lines.join('\n');
    ++document.version;
    const range = new Range(new Position(line, from), new Position(line, to));
    this.events.change.fire({ document, contentChanges: [{ range, text }] });
  }

  set(key, value) {
    this.settings[key] = value;
    this.events.configuration.fire({ affectsConfiguration: (s) => key === s || key.startsWith(`${s}.`) });
  }
}
