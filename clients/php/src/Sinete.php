<?php

declare(strict_types=1);

namespace Sinete;

/** Sinete at one address: sign, follow, download and validate. Every method throws `SineteError`. */
final class Sinete
{
    /** The ports of this computer on which Sinete may listen. */
    public const PORTS = [17171, 27171, 37171, 47171, 57171];

    /** Seconds of a long poll. */
    private const WAIT = 25;

    private readonly Transport $transport;

    /** @param int $timeout seconds without any byte after which a request fails */
    public function __construct(
        public readonly string $address = 'http://127.0.0.1:17171',
        private readonly ?Credentials $credentials = null,
        private readonly int $timeout = 60,
    ) {
        $this->transport = new Transport($address, $timeout);
    }

    /**
     * Sinete on this computer. Throws `NOT_INSTALLED` when no port answers.
     *
     * @param list<int> $ports
     */
    public static function find(array $ports = self::PORTS, ?Credentials $credentials = null): self
    {
        foreach ($ports as $port) {
            try {
                $found = (new Transport("http://127.0.0.1:{$port}", 2))->readJson('GET', '/.well-known/sinete');
            } catch (SineteError) {
                continue;
            }
            if (($found['name'] ?? '') === 'Sinete') {
                return new self("http://127.0.0.1:{$port}", $credentials);
            }
        }
        throw new SineteError('NOT_INSTALLED', 'Sinete does not run on this computer: install it, or start it.');
    }

    /**
     * Signs documents: uploads them, waits for the approval and all signatures, and answers them in order. A failed
     * document does not stop the others.
     *
     * @param list<string|Content> $documents paths of files, or documents in memory
     * @param (callable(Progress): void)|null $onProgress
     * @param int|null $timeout limits the wait in seconds; the transaction goes on
     * @return list<SignedDocument>
     */
    public function sign(
        array $documents,
        SignOptions $options = new SignOptions(),
        ?callable $onProgress = null,
        ?int $timeout = null,
    ): array {
        if ($documents === []) {
            throw new SineteError('INPUT_INVALID', 'There is no document to sign.');
        }
        $size = array_sum(array_map(Content::sizeOf(...), $documents));
        $sent = 0;
        $tell = static function (string $phase, array $entries) use (&$sent, $size, $documents, $onProgress): void {
            $count = static fn (string $status): int
                => count(array_filter($entries, static fn (Document $one): bool => $one->status === $status));
            if ($onProgress !== null) {
                $onProgress(new Progress($phase, $sent, $size, $count('SIGNED'), $count('ERROR'), count($documents)));
            }
        };
        $tcn = $this->create($options)->tcn;
        $tell('uploading', []);
        $before = 0;
        foreach ($documents as $index => $document) {
            $own = Content::sizeOf($document);
            $this->upload($tcn, $document, $index === array_key_last($documents), onSent: static function (int $bytes) use (&$sent, $before, $own, $tell): void {
                if ($bytes > 0 && $sent !== $before + min($bytes, $own)) {
                    $sent = $before + min($bytes, $own);
                    $tell('uploading', []);
                }
            });
            $before += $own;
        }
        $sent = $size;
        $finished = $this->waitUntilFinal($tcn, $tell, $timeout);
        $tell('finished', $finished->documents);
        return array_map(
            fn (string|Content $source, ?Document $entry): SignedDocument => new SignedDocument(
                $source,
                $entry?->status === 'SIGNED' ? 'SIGNED' : 'ERROR',
                $entry?->errorCode,
                $entry?->errorDetail,
                $this,
                $tcn,
                $entry?->id ?? '',
            ),
            $documents,
            array_slice(array_pad($finished->documents, count($documents), null), 0, count($documents)),
        );
    }

    /** Starts a transaction. Repeat a call that broke off with the same `$idempotencyKey`. */
    public function create(SignOptions $options, ?string $idempotencyKey = null): Transaction
    {
        $headers = [
            'Content-Type: application/json',
            'Idempotency-Key: ' . ($idempotencyKey ?? bin2hex(random_bytes(16))),
        ];
        return Transaction::read(
            $this->transport->readJson('POST', '/signature-service', $headers, $options->body(), $this->credentials, 120),
        );
    }

    /**
     * Uploads a document. `$last` ends the uploads, and signing begins.
     *
     * @param (callable(int): void)|null $onSent gets the bytes that were sent so far
     */
    public function upload(
        string $tcn,
        string|Content $document,
        bool $last,
        string $setting = 'default',
        ?callable $onSent = null,
    ): void {
        $path = '/file-transfer/' . rawurlencode($tcn) . ($last ? '/eot/' : '/continue/') . rawurlencode($setting);
        $this->transport->readJson('POST', $path, body: ['document' => Content::part($document)], onSent: $onSent);
    }

    /** The state of a transaction; `$wait` holds the answer until the state changes, at most 60 seconds. */
    public function query(string $tcn, int $wait = 0): Transaction
    {
        $path = '/signature-service/' . rawurlencode($tcn) . "?wait={$wait}";
        return Transaction::read($this->transport->readJson('GET', $path, timeout: $this->timeout + $wait));
    }

    /** Cancels what is not signed yet. */
    public function cancel(string $tcn): Transaction
    {
        return Transaction::read($this->transport->readJson('DELETE', '/signature-service/' . rawurlencode($tcn)));
    }

    /** A result in memory. */
    public function download(string $tcn, string $documentId): string
    {
        return $this->transport->send('GET', self::resultPath($tcn, $documentId), ['Accept: */*']);
    }

    /** Writes a result to a file; a file that broke off is removed. */
    public function save(string $tcn, string $documentId, string $path): void
    {
        $partial = $path . '.' . bin2hex(random_bytes(4)) . '.part';
        $file = fopen($partial, 'xb');
        if ($file === false) {
            throw new \InvalidArgumentException("{$path} cannot be written.");
        }
        try {
            $this->transport->send('GET', self::resultPath($tcn, $documentId), ['Accept: */*'], file: $file);
            fclose($file);
            rename($partial, $path);
        } finally {
            if (file_exists($partial)) {
                unlink($partial);
            }
        }
    }

    /**
     * Validates a signature or a signed PDF.
     *
     * @param string $type `PAdES` or `CAdES`
     * @param string|Content|null $content the document of a detached signature
     */
    public function validate(string|Content $signature, string $type = 'PAdES', string|Content|null $content = null): Validation
    {
        $form = ['type' => $type, 'signature' => Content::part($signature)];
        if ($content !== null) {
            $form['document'] = Content::part($content);
        }
        return Validation::read($this->transport->readJson('POST', '/validator-service', body: $form, timeout: 120));
    }

    /**
     * The certificates of the selected user; none when nobody is selected.
     *
     * @return list<Certificate>
     */
    public function certificates(): array
    {
        try {
            $body = $this->transport->readJson('GET', '/selected-user/certificates', credentials: $this->credentials);
        } catch (SineteError $error) {
            if ($error->problem?->status === 404) {
                return [];
            }
            throw $error;
        }
        $read = static fn (array $entry): Certificate
            => new Certificate($entry['alias'], $entry['source'], $entry['present'], $entry['pem'], $entry);
        return array_map($read, $body['certificates']);
    }

    private static function resultPath(string $tcn, string $documentId): string
    {
        return '/file-transfer/' . rawurlencode($tcn) . '/' . rawurlencode($documentId);
    }

    /** @param callable(string, list<Document>): void $tell */
    private function waitUntilFinal(string $tcn, callable $tell, ?int $timeout): Transaction
    {
        $end = $timeout === null ? null : microtime(true) + $timeout;
        $wait = 0;
        while (true) {
            $transaction = $this->query($tcn, $wait);
            if ($transaction->status !== 'WAITING') {
                return $transaction;
            }
            $isForPerson = in_array($transaction->waitingFor, ['approval', 'pin'], true);
            $tell($isForPerson ? (string) $transaction->waitingFor : 'signing', $transaction->documents);
            $left = $end === null ? self::WAIT : $end - microtime(true);
            if ($left <= 0) {
                throw new SineteError('TIMEOUT', 'The documents are not signed yet: query the transaction later.');
            }
            $wait = max(1, min(self::WAIT, (int) $left));
        }
    }
}
