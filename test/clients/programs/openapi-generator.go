// Signs a PDF with openapi-generator's client for Go: create, upload, query, download.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	sinete "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	configuration := sinete.NewConfiguration()
	configuration.Servers = sinete.ServerConfigurations{{URL: os.Args[1]}}
	api := sinete.NewAPIClient(configuration).SigningServiceAPI
	ctx := context.Background()
	request := sinete.NewCreateTransaction("PAdES")
	request.SetDocumentsSource("UPLOAD_REFERENCE")
	created, _, err := api.CreateTransaction(ctx).CreateTransaction(*request).Execute()
	check(err)
	input, err := os.Open(os.Args[2])
	check(err)
	_, _, err = api.UploadToOnlySetting(ctx, created.Tcn, "eot").Document(input).Execute()
	check(err)
	answer, _, err := api.QueryTransaction(ctx, created.Tcn).Wait(60).Execute()
	check(err)
	signed, _, err := api.DownloadDocument(ctx, created.Tcn, answer.Documents[0].Id).Execute()
	check(err)
	output, err := os.Create(os.Args[3])
	check(err)
	_, err = io.Copy(output, signed)
	check(err)
	check(output.Close())
}
