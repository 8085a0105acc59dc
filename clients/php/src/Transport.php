<?php

declare(strict_types=1);

namespace Sinete;

/** HTTP by curl, without proxies and redirects: requests reach the given address or fail. @internal */
final class Transport
{
    private readonly bool $keepsSecrets;

    public function __construct(public readonly string $address, private readonly int $timeout = 60)
    {
        $parts = parse_url($address);
        if (!is_array($parts) || !in_array($parts['scheme'] ?? '', ['http', 'https'], true) || !isset($parts['host'])) {
            throw new \InvalidArgumentException('Give the address as http://127.0.0.1:17171 or https://host.');
        }
        if (isset($parts['user']) || isset($parts['pass'])) {
            throw new \InvalidArgumentException('Give credentials as an argument, not in the address.');
        }
        if (isset($parts['query']) || isset($parts['fragment'])) {
            throw new \InvalidArgumentException('The address has no query and no fragment.');
        }
        $isLoopback = preg_match('/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/', $parts['host']) === 1;
        $this->keepsSecrets = $parts['scheme'] === 'https' || $isLoopback;
    }

    /**
     * The object that an operation answers.
     *
     * @param list<string> $headers
     * @param string|array<string, mixed>|null $body a text, or the parts of a form
     * @param (callable(int): void)|null $onSent gets the bytes of the body that were sent so far
     * @return array<string, mixed>
     */
    public function readJson(
        string $method,
        string $path,
        array $headers = [],
        #[\SensitiveParameter] string|array|null $body = null,
        ?Credentials $credentials = null,
        ?int $timeout = null,
        ?callable $onSent = null,
    ): array {
        $headers[] = 'Accept: application/json';
        $text = $this->send($method, $path, $headers, $body, $credentials, $timeout, $onSent);
        $value = $text === '' ? [] : json_decode($text, true);
        if (!is_array($value)) {
            throw new SineteError('FAILED', 'The answer is not that of Sinete: check the address.');
        }
        return $value;
    }

    /**
     * The body of an answer of 2xx, or an empty text when it was written to `$file`.
     *
     * @param list<string> $headers
     * @param string|array<string, mixed>|null $body
     * @param resource|null $file
     */
    public function send(
        string $method,
        string $path,
        array $headers,
        #[\SensitiveParameter] string|array|null $body = null,
        ?Credentials $credentials = null,
        ?int $timeout = null,
        ?callable $onSent = null,
        $file = null,
    ): string {
        if ($credentials !== null) {
            $this->requireSecrecy();
            $headers[] = $credentials->header();
        }
        $answer = '';
        $fields = [];
        $status = 0;
        $handle = curl_init(rtrim($this->address, '/') . $path);
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => [...$headers, 'Expect:'],
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROXY => '',
            CURLOPT_CONNECTTIMEOUT => 10,
            // No byte for this long ends the request; an upload of any length may take its time.
            CURLOPT_LOW_SPEED_LIMIT => 1,
            CURLOPT_LOW_SPEED_TIME => $timeout ?? $this->timeout,
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$fields, &$status): int {
                if (preg_match('#^HTTP/\S+ (\d{3})#', $line, $found) === 1) {
                    $status = (int) $found[1];
                    $fields = [];
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $fields[strtolower(trim($name))] = trim($value);
                }
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function ($handle, string $bytes) use (&$answer, &$status, $file): int {
                if ($file !== null && $status >= 200 && $status < 300) {
                    return (int) fwrite($file, $bytes);
                }
                $answer .= $bytes;
                return strlen($bytes);
            },
        ]);
        if ($body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $body);
        }
        if ($onSent !== null) {
            curl_setopt($handle, CURLOPT_NOPROGRESS, false);
            $report = static function ($handle, int $size, int $got, int $toSend, int $sent) use ($onSent): int {
                $onSent($sent);
                return 0;
            };
            curl_setopt($handle, CURLOPT_PROGRESSFUNCTION, $report);
        }
        $isSent = curl_exec($handle);
        curl_close($handle);
        // A refusal may come before the whole body was sent.
        if ($status >= 300 || ($status > 0 && $status < 200)) {
            throw SineteError::ofAnswer($status, $fields, $answer);
        }
        if ($isSent === false) {
            throw new SineteError('UNREACHABLE', 'Sinete does not answer: it was closed, or the address is wrong.');
        }
        return $answer;
    }

    /** Throws when a secret would travel without TLS to another computer. */
    public function requireSecrecy(): void
    {
        if (!$this->keepsSecrets) {
            throw new SineteError('FAILED', 'Use https: credentials are not sent to another computer without TLS.');
        }
    }
}
