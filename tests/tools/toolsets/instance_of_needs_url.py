from pegboard import Toolset, tool_method

BUILT = []


class Client(Toolset):
    url: str

    def model_post_init(self, context: object) -> None:
        BUILT.append(self.url)

    @tool_method
    def get_url(self) -> str:
        return self.url

    @tool_method
    def built(self) -> list[str]:
        return BUILT


client = Client(url="https://example.test")
