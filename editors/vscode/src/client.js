// One run of the language server: starts it, keeps its documents in step with the editor's, and
// offers what it announces. It knows the editor only through `api`, the module `vscode`.
'use strict';

const { spawn } = require('node:child_process');
const { Connection, REQUEST_CANCELLED, CONTENT_MODIFIED } = require('./rpc.js');
const { converter } = require('./convert.js');

const SELECTOR = [{ language: 'leto', scheme: 'file' }];
const INITIALIZE_TIMEOUT = 30_000;
const STOP_TIMEOUT = 2_000;

const SYNC_NONE = 0;
const SYNC_INCREMENTAL = 2;

// What we tell the server that we can do.
function clientCapabilities() {
  return {
    general: { positionEncodings: ['utf-16'] },
    workspace: {
      applyEdit: true,
      workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] },
      configuration: true,
      workspaceFolders: true,
      executeCommand: {},
      didChangeConfiguration: {},
      didChangeWatchedFiles: {},
    },
    window: { workDoneProgress: true, showMessage: {} },
    textDocument: {
      synchronization: { didSave: true },
      publishDiagnostics: {
        relatedInformation: true,
        versionSupport: true,
        codeDescriptionSupport: true,
        dataSupport: true,
        tagSupport: { valueSet: [1, 2] },
      },
      hover: { contentFormat: ['markdown', 'plaintext'] },
      definition: { linkSupport: true },
      references: {},
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      formatting: {},
      completion: {
        contextSupport: true,
        completionItem: {
          snippetSupport: true,
          commitCharactersSupport: true,
          documentationFormat: ['markdown', 'plaintext'],
          preselectSupport: true,
          insertReplaceSupport: true,
          labelDetailsSupport: true,
          resolveSupport: { properties: ['documentation', 'detail', 'additionalTextEdits'] },
        },
        completionList: { itemDefaults: ['commitCharacters', 'editRange', 'insertTextFormat'] },
      },
      codeAction: {
        codeActionLiteralSupport: {
          codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source', 'source.fixAll'] },
        },
        isPreferredSupport: true,
        disabledSupport: true,
        dataSupport: true,
        resolveSupport: { properties: ['edit', 'command'] },
      },
      rename: { prepareSupport: true },
    },
  };
}

class Client {
  // options: { command, args, cwd, version, settings() }; settings() gives what stands under
  // `leto` in the editor's settings and concerns the server. onExit(expected) is called once.
  constructor(api, log, options, onExit) {
    this.api = api;
    this.log = log;
    this.options = options;
    this.onExit = onExit;
    this.convert = converter(api);
    this.disposables = [];
    this.progress = new Map();
    this.open = new Map(); // uri to version of what the server has open
    this.capabilities = {};
    this.ready = false;
    this.stopping = false;
  }

  // Resolves when the server is ready. Rejects if it cannot be started.
  async start() {
    const { command, args, cwd } = this.options;
    this.log.appendLine(`Starting ${[command, ...args].join(' ')}`);
    this.child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    this.exited = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => resolve(signal ?? code));
      this.child.once('error', () => resolve(undefined));
    });
    await new Promise((resolve, reject) => {
      this.child.once('spawn', resolve);
      this.child.once('error', reject);
    });
    this.child.on('error', (error) => this.log.appendLine(String(error)));
    this.child.stderr.setEncoding('utf8').on('data', (text) => this.log.append(text));
    this.connection = new Connection({
      input: this.child.stdout,
      output: this.child.stdin,
      onRequest: (method, params) => this.handleRequest(method, params),
      onNotification: (method, params) => this.handleNotification(method, params),
      onError: (error) => {
        this.log.appendLine(`Protocol error: ${error.message}`);
        if (this.connection.closed) this.child.kill();
      },
    });
    this.exited.then((how) => this.ended(how));
    this.diagnostics = this.api.languages.createDiagnosticCollection('leto');
    this.disposables.push(this.diagnostics);
    try {
      await this.initialize();
    } catch (error) {
      this.stopping = true;
      this.child.kill();
      throw error;
    }
  }

  async initialize() {
    const folders = this.folders();
    const answer = await withTimeout(
      this.connection.request('initialize', {
        processId: process.pid,
        clientInfo: { name: 'Leto for Visual Studio Code', version: this.options.version },
        locale: this.api.env?.language,
        rootUri: folders?.[0]?.uri ?? null,
        workspaceFolders: folders,
        initializationOptions: this.options.settings(),
        capabilities: clientCapabilities(),
      }),
      INITIALIZE_TIMEOUT,
      'the server does not answer',
    );
    this.capabilities = answer?.capabilities ?? {};
    const encoding = this.capabilities.positionEncoding ?? 'utf-16';
    if (encoding !== 'utf-16') throw new Error(`the server counts in ${encoding}, which was not offered`);
    const info = answer?.serverInfo;
    if (info) this.log.appendLine(`${info.name} ${info.version ?? ''}`.trimEnd());
    this.connection.notify('initialized', {});
    this.synchronize();
    this.offer();
    this.ready = true;
  }

  folders() {
    const folders = this.api.workspace.workspaceFolders;
    return folders ? folders.map((f) => ({ uri: f.uri.toString(), name: f.name })) : null;
  }

  async stop() {
    if (this.stopping) return this.exited;
    this.stopping = true;
    this.release();
    if (!this.connection || this.connection.closed) return this.exited;
    try {
      await withTimeout(this.connection.request('shutdown', null), STOP_TIMEOUT, 'no answer');
      this.connection.notify('exit', null);
      this.child.stdin.end();
      await withTimeout(this.exited, STOP_TIMEOUT, 'no end');
    } catch {
      this.child.kill('SIGKILL');
    }
    return this.exited;
  }

  ended(how) {
    this.log.appendLine(`The server has ended (${how ?? 'it could not be started'})`);
    // An end during the start is told by start().
    const expected = this.stopping || !this.ready;
    this.stopping = true;
    this.connection.close();
    this.release();
    this.onExit(expected);
  }

  release() {
    for (const { done } of this.progress.values()) done();
    this.progress.clear();
    for (const d of this.disposables.splice(0)) d.dispose();
  }

  // Documents.

  mine(document) {
    return document.languageId === 'leto' && document.uri.scheme === 'file';
  }

  synchronize() {
    const { workspace } = this.api;
    const announced = this.capabilities.textDocumentSync;
    const sync = typeof announced === 'number' ? { openClose: true, change: announced, save: {} } : (announced ?? {});
    const change = sync.change ?? SYNC_NONE;
    const notify = (method, params) => this.connection.notify(method, params);
    const opened = (document) => {
      const uri = document.uri.toString();
      if (!this.mine(document) || this.open.has(uri)) return;
      this.open.set(uri, document.version);
      if (!sync.openClose) return;
      notify('textDocument/didOpen', {
        textDocument: { uri, languageId: 'leto', version: document.version, text: document.getText() },
      });
    };
    this.disposables.push(
      workspace.onDidOpenTextDocument(opened),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const uri = document.uri.toString();
        if (!this.open.has(uri) || contentChanges.length === 0) return;
        this.open.set(uri, document.version);
        if (change === SYNC_NONE) return;
        notify('textDocument/didChange', {
          textDocument: { uri, version: document.version },
          contentChanges:
            change === SYNC_INCREMENTAL
              ? contentChanges.map((c) => ({ range: this.convert.toRange(c.range), text: c.text }))
              : [{ text: document.getText() }],
        });
      }),
      workspace.onDidSaveTextDocument((document) => {
        const uri = document.uri.toString();
        if (!this.open.has(uri) || !sync.save) return;
        notify('textDocument/didSave', {
          textDocument: { uri },
          text: sync.save.includeText ? document.getText() : undefined,
        });
      }),
      workspace.onDidCloseTextDocument((document) => {
        const uri = document.uri.toString();
        if (!this.open.delete(uri)) return;
        if (sync.openClose) notify('textDocument/didClose', { textDocument: { uri } });
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('leto')) return;
        notify('workspace/didChangeConfiguration', { settings: { leto: this.options.settings() } });
      }),
    );
    // Imports and models may change on disk, outside of the editor.
    const watcher = workspace.createFileSystemWatcher('**/*.leto');
    const changed = (type) => (uri) =>
      notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri.toString(), type }] });
    this.disposables.push(watcher, watcher.onDidCreate(changed(1)), watcher.onDidChange(changed(2)), watcher.onDidDelete(changed(3)));
    workspace.textDocuments.forEach(opened);
  }

  // Features: only what the server announces is offered to the editor.

  offer() {
    const { languages, commands } = this.api;
    const can = this.capabilities;
    const c = this.convert;
    const at = (document, position) => ({
      textDocument: { uri: document.uri.toString() },
      position: c.toPosition(position),
    });
    const of = (document) => ({ textDocument: { uri: document.uri.toString() } });
    const add = (disposable) => this.disposables.push(disposable);

    if (can.hoverProvider) {
      add(languages.registerHoverProvider(SELECTOR, {
        provideHover: async (document, position, token) =>
          c.hover(await this.ask('textDocument/hover', at(document, position), token)),
      }));
    }
    if (can.definitionProvider) {
      add(languages.registerDefinitionProvider(SELECTOR, {
        provideDefinition: async (document, position, token) =>
          c.definition(await this.ask('textDocument/definition', at(document, position), token)),
      }));
    }
    if (can.referencesProvider) {
      add(languages.registerReferenceProvider(SELECTOR, {
        provideReferences: async (document, position, context, token) =>
          (await this.ask('textDocument/references', {
            ...at(document, position),
            context: { includeDeclaration: context.includeDeclaration },
          }, token))?.map(c.location),
      }));
    }
    if (can.documentSymbolProvider) {
      add(languages.registerDocumentSymbolProvider(SELECTOR, {
        provideDocumentSymbols: async (document, token) =>
          (await this.ask('textDocument/documentSymbol', of(document), token))?.map(c.symbol),
      }));
    }
    if (can.documentFormattingProvider) {
      add(languages.registerDocumentFormattingEditProvider(SELECTOR, {
        provideDocumentFormattingEdits: async (document, options, token) =>
          (await this.ask('textDocument/formatting', {
            ...of(document),
            options: { tabSize: options.tabSize, insertSpaces: options.insertSpaces },
          }, token))?.map(c.textEdit),
      }));
    }
    if (can.completionProvider) {
      const provider = {
        provideCompletionItems: async (document, position, token, context) =>
          c.completion(await this.ask('textDocument/completion', {
            ...at(document, position),
            context: { triggerKind: (context?.triggerKind ?? 0) + 1, triggerCharacter: context?.triggerCharacter },
          }, token)),
      };
      if (can.completionProvider.resolveProvider) {
        provider.resolveCompletionItem = async (item, token) => {
          const more = await this.ask('completionItem/resolve', item.original, token);
          if (!more) return item;
          const whole = c.completionItem(more);
          item.documentation = whole.documentation;
          item.detail = whole.detail;
          item.additionalTextEdits = whole.additionalTextEdits;
          return item;
        };
      }
      add(languages.registerCompletionItemProvider(SELECTOR, provider, ...(can.completionProvider.triggerCharacters ?? [])));
    }
    if (can.codeActionProvider) {
      const provider = {
        provideCodeActions: async (document, range, context, token) =>
          (await this.ask('textDocument/codeAction', {
            ...of(document),
            range: c.toRange(range),
            context: {
              diagnostics: context.diagnostics.map(c.toDiagnostic),
              only: context.only ? [context.only.value] : undefined,
              triggerKind: context.triggerKind,
            },
          }, token))?.map((a) => c.codeAction(a, context.diagnostics)),
      };
      if (can.codeActionProvider.resolveProvider) {
        provider.resolveCodeAction = async (action, token) => {
          const more = await this.ask('codeAction/resolve', action.original, token);
          if (!more) return action;
          const whole = c.codeAction(more, []);
          action.edit = whole.edit;
          action.command = whole.command;
          return action;
        };
      }
      const kinds = can.codeActionProvider.codeActionKinds;
      add(languages.registerCodeActionsProvider(SELECTOR, provider,
        kinds ? { providedCodeActionKinds: kinds.map(c.codeActionKind) } : undefined));
    }
    if (can.renameProvider) {
      const provider = {
        // The editor shows why it failed, so errors are handed on.
        provideRenameEdits: async (document, position, newName, token) =>
          c.workspaceEdit(await this.connection.request('textDocument/rename', { ...at(document, position), newName }, token)),
      };
      if (can.renameProvider.prepareProvider) {
        provider.prepareRename = async (document, position, token) => {
          const found = await this.connection.request('textDocument/prepareRename', at(document, position), token);
          if (!found) throw new Error('This cannot be renamed.');
          if (found.defaultBehavior) return undefined;
          return found.range ? { range: c.range(found.range), placeholder: found.placeholder } : c.range(found);
        };
      }
      add(languages.registerRenameProvider(SELECTOR, provider));
    }
    for (const name of can.executeCommandProvider?.commands ?? []) {
      try {
        add(commands.registerCommand(name, (...args) =>
          this.connection.request('workspace/executeCommand', { command: name, arguments: args })));
      } catch (error) {
        this.log.appendLine(`The command ${name} is taken: ${error.message}`);
      }
    }
  }

  // A request whose failure is no news to the user: the log has it.
  async ask(method, params, token) {
    try {
      return (await this.connection.request(method, params, token)) ?? undefined;
    } catch (error) {
      if (error.code !== REQUEST_CANCELLED && error.code !== CONTENT_MODIFIED && !this.stopping) {
        this.log.appendLine(`${method}: ${error.message}`);
      }
      return undefined;
    }
  }

  // What the server says by itself.

  handleNotification(method, params) {
    const { window } = this.api;
    switch (method) {
      case 'textDocument/publishDiagnostics': {
        if (this.stopping) return;
        // What was found in a text that has changed since would be shown at wrong places.
        const now = this.open.get(this.convert.uri(params.uri).toString());
        if (typeof params.version === 'number' && now !== undefined && params.version < now) return;
        this.diagnostics.set(this.convert.uri(params.uri), params.diagnostics.map(this.convert.diagnostic));
        return;
      }
      case 'window/logMessage':
        this.log.appendLine(params.message);
        return;
      case 'window/showMessage':
        this.log.appendLine(params.message);
        if (params.type === 1) window.showErrorMessage(params.message);
        else if (params.type === 2) window.showWarningMessage(params.message);
        else if (params.type === 3) window.showInformationMessage(params.message);
        return;
      case '$/progress':
        this.showProgress(params.token, params.value);
        return;
      default: // others are optional by the protocol
    }
  }

  async handleRequest(method, params) {
    const { workspace, window } = this.api;
    switch (method) {
      case 'workspace/configuration': {
        const all = { leto: this.options.settings() };
        return params.items.map(({ section }) =>
          (section ?? '').split('.').filter(Boolean).reduce((value, key) => value?.[key], all) ?? null);
      }
      case 'workspace/workspaceFolders':
        return this.folders();
      case 'workspace/applyEdit': {
        const stale = this.convert.versions(params.edit).some(([uri, version]) => {
          const now = this.open.get(this.convert.uri(uri).toString());
          return now !== undefined && now !== version;
        });
        if (stale) return { applied: false, failureReason: 'the text has changed' };
        return { applied: await workspace.applyEdit(this.convert.workspaceEdit(params.edit)) };
      }
      case 'window/showMessageRequest': {
        const show = [window.showErrorMessage, window.showErrorMessage, window.showWarningMessage][params.type] ?? window.showInformationMessage;
        const titles = (params.actions ?? []).map((a) => a.title);
        const picked = await show.call(window, params.message, ...titles);
        return params.actions?.find((a) => a.title === picked) ?? null;
      }
      case 'window/workDoneProgress/create':
      case 'client/registerCapability':
      case 'client/unregisterCapability':
        return null;
      default:
        return undefined;
    }
  }

  showProgress(token, value) {
    if (value.kind === 'begin') {
      if (this.stopping || this.progress.has(token)) return;
      const { window, ProgressLocation } = this.api;
      const shown = {};
      const finished = new Promise((resolve) => (shown.done = resolve));
      const waiting = [];
      shown.report = (v) => waiting.push(v);
      this.progress.set(token, shown);
      window.withProgress(
        {
          location: value.cancellable ? ProgressLocation.Notification : ProgressLocation.Window,
          title: value.title,
          cancellable: value.cancellable === true,
        },
        (progress, cancellation) => {
          let before = 0;
          shown.report = ({ message, percentage }) => {
            const increment = percentage === undefined ? undefined : percentage - before;
            before = percentage ?? before;
            progress.report({ message, increment });
          };
          cancellation?.onCancellationRequested(() =>
            this.connection.notify('window/workDoneProgress/cancel', { token }));
          [value, ...waiting].forEach(shown.report);
          return finished;
        },
      );
    } else if (value.kind === 'report') {
      this.progress.get(token)?.report(value);
    } else if (value.kind === 'end') {
      this.progress.get(token)?.done();
      this.progress.delete(token);
    }
  }
}

function withTimeout(promise, milliseconds, message) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

module.exports = { Client, clientCapabilities };
